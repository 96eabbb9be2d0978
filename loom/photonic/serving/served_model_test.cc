#include "loom/photonic/serving/served_model.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::photonic {
namespace {

const std::string kHeading = "model,layer_id,vec_len,num_vvp,prereqs\n";

TEST(ServedModel, ShortProductsAreMergedAndPadded) {
  EXPECT_EQ(merged({9, 1000, {3}}, 2048), (ServedLayer{2048, 5, {3}}));
  EXPECT_EQ(merged({2048, 7, {}}, 2048), (ServedLayer{2048, 7, {}}));
  EXPECT_EQ(merged({4096, 7, {}}, 2048), (ServedLayer{4096, 7, {}}));
  EXPECT_EQ(merged({1, 1, {}}, 2048), (ServedLayer{2048, 1, {}}));
}

// AlexNet's from its paper's shapes (714 M multiplications with one group), VGG-16's 15.47 G
// (Simonyan and Zisserman), ResNet-18's 1.81 G (He et al.).
TEST(ServedModel, ThePublishedNetworksHaveTheirPublishedWork) {
  const std::vector<ServedModel> models = published_models();
  EXPECT_EQ(find_model(models, "AlexNet")->multiplications(), 714'188'480);
  EXPECT_EQ(find_model(models, "ResNet-18")->multiplications(), 1'814'073'344);
  EXPECT_EQ(find_model(models, "VGG-16")->multiplications(), 15'470'264'320);
  EXPECT_EQ(find_model(models, "LeNet-300-100")->multiplications(), 266'200);
  EXPECT_EQ(find_model(models, "BERT")->layers.size(), 1993U);
  EXPECT_EQ(find_model(models, "GPT-2")->layers.size(), 6147U);
  EXPECT_EQ(find_model(models, "nobody"), nullptr);
}

// GPU kernels and photonic layers do the same work, except for tables, which a GPU looks up.
TEST(ServedModel, KernelsAndLayersHaveTheSameMultiplications) {
  for (const ServedModel& model : published_models()) {
    double kernels = 0;
    for (const ServedKernel& it : model.kernels) {
      kernels += static_cast<double>(it.product.flops()) / 2;
    }
    auto layers = static_cast<double>(model.multiplications());
    if (model.name == "DLRM") layers -= 64.0 * 39'143'231;
    if (model.name == "BERT") layers -= 29056.0 * 1024;
    if (model.name == "GPT-2") layers -= (50257.0 + 1024) * 1600;
    EXPECT_NEAR(kernels / layers, 1, 1e-3) << model.name;
  }
}

TEST(LayerTable, IsReadInTheOrderOfLayerNumbers) {
  const auto models =
      parse_layer_table(kHeading + "a,3,30,1,1 2\na,1,10,2,\nb,1,5,5,\na,2,20,3,1\n", "t.csv");
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0].name, "a");
  EXPECT_EQ(models[0].passes, 3);
  EXPECT_EQ(models[0].layers[2], (ServedLayer{30, 1, {0, 1}}));
  EXPECT_EQ(models[1].layers[0], (ServedLayer{5, 5, {}}));
}

TEST(LayerTable, InvalidRowsAreRefusedWithTheLine) {
  const auto refusal = [](const std::string& rows) {
    return message([&] { parse_layer_table(kHeading + rows, "t.csv"); });
  };
  EXPECT_EQ(refusal(""), "t.csv:1: the file has no layers; at least one is needed");
  EXPECT_EQ(refusal("a,1,1,1,\na,1,1,1,\n"),
            "t.csv:3: layer_id is 1; a unique number within a is needed");
  EXPECT_EQ(refusal("a,1,1,1,2\na,2,1,1,\n"),
            "t.csv:2: prereqs is 2; numbers of earlier layers, separated by spaces, are needed");
  EXPECT_EQ(refusal("a,1,1,1,1\n"),
            "t.csv:2: prereqs is 1; numbers of earlier layers, separated by spaces, are needed");
  EXPECT_EQ(refusal("a,1,1,1,\na,2,1,1,1 1\n"),
            "t.csv:3: prereqs is 1 1; distinct layers are needed");
  EXPECT_EQ(refusal("a,1,1000000000,100000000000,\n"),
            "t.csv:2: num_vvp is 100000000000; at most 1000000000000000 multiplications are "
            "possible");
}

}  // namespace
}  // namespace loom::photonic
