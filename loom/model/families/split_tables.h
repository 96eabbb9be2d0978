// A model whose embedding tables are operators of their own.
//
// The catalogue keeps the tables of a recommender as one operator, which is enough where all are
// spread alike. A search that says of each table who owns it needs them one by one.
#pragma once

#include "loom/model/model.h"

namespace loom {

// Every lookup of several tables becomes one for each, "embedding" then "embedding.0",
// "embedding.1" and so on; who read it reads all of them. Parameters, work and what is kept stay
// the same in sum.
Model split_tables(const Model& model);

}  // namespace loom
