// Recommenders and their kin: DLRM (arXiv 1906.00091), NeuMF (arXiv 1708.05031) and CANDLE Uno.
//
// Embedding tables are lookups of which any number may lie on any device; what follows is dense
// layers, cut by columns and rows in turn.
#pragma once

#include "loom/model/catalog.h"

namespace loom {

// DLRM: tables, a bottom stack for dense features, their interaction, a top stack.
extern const ModelFamily kRecommenderFamily;

// NeuMF: users' and items' embeddings, multiplied, and beside that through dense layers.
extern const ModelFamily kCollaborativeFamily;

// Uno: a stack of dense layers for each group of features, then a stack for all of them.
extern const ModelFamily kTowersFamily;

}  // namespace loom
