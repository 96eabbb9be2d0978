// Splits the embedding tables of a model into separate operators.
//
// The catalog keeps the tables of a recommender as one operator, which is enough if all are spread
// uniformly. A search that assigns each table to an owner needs them individually.
#pragma once

#include "loom/model/model.h"

namespace loom::model {

// Every lookup of several tables becomes one per table: "embedding" becomes "embedding.0",
// "embedding.1" and so on; its readers read all of them. Total parameters, work and kept bytes do
// not change.
Model split_tables(const Model& model);

}  // namespace loom::model
