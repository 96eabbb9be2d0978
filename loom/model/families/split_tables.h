// Splits the embedding tables of a model into separate operators.
//
// The catalog keeps the tables of a recommender as one operator, which suffices if all tables are
// spread uniformly over the devices. A search that assigns each table to a device needs one
// operator per table.
#pragma once

#include "loom/model/model.h"

namespace loom::model {

// Replaces every lookup of several tables by one lookup per table: "embedding" becomes
// "embedding.0", "embedding.1" and so on. Operators that read the old lookup read all new ones. The
// totals of parameters, memory traffic and activations saved for the backward pass do not change.
Model split_tables(const Model& model);

}  // namespace loom::model
