// Recommenders and similar models: DLRM (arXiv 1906.00091), NeuMF (arXiv 1708.05031), CANDLE Uno.
//
// Embedding tables are lookups that can be spread over devices; the dense layers after them are
// sharded by columns and rows alternately.
#pragma once

#include "loom/model/catalog.h"

namespace loom::model {

// DLRM: tables, a bottom stack for dense features, their interaction, a top stack.
extern const ModelFamily kRecommenderFamily;

// NeuMF: embeddings of users and items, multiplied, and in parallel through dense layers.
extern const ModelFamily kCollaborativeFamily;

// Uno: a stack of dense layers for each group of features, then a stack for all of them.
extern const ModelFamily kTowersFamily;

}  // namespace loom::model
