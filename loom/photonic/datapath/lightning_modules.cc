#include "loom/photonic/datapath/lightning_modules.h"

namespace loom::photonic {
namespace {

constexpr std::string_view kModules = R"(// A request starts with the targets of the first layer.
module packet_parser {
    counts: {
        count packet.parsed
    }
    targets: {
        1
    }
    actions: {
        raise layer.request after start cycles
    }
};

// Rewrites the targets for the next layer, and starts its words.
module configuration_loader {
    counts: {
        count layer.request
    }
    targets: {
        1
    }
    actions: {
        load layer.targets
        reset sample_tail
        raise word.due after configure cycles
    }
};

// Requests a word in every cycle: first the words of the preamble, then those of the operands.
module word_clock {
    counts: {
        count word.due
    }
    targets: {
        1
    }
    actions: {
        raise word.due after 1 cycle
    }
};

module layer_end {
    counts: {
        // words of this layer
        count word.due
    }
    targets: {
        preamble + layer_words
    }
    actions: {
        halt word.due
    }
};

module input_reader {
    counts: {
        count word.due
    }
    targets: {
        1
    }
    actions: {
        read input.word
        raise DAC[1].valid after memory cycles
    }
};

module weight_reader {
    counts: {
        count word.due
    }
    targets: {
        1
    }
    actions: {
        read weight.word
        raise DAC[2].valid after memory cycles
    }
};

module synchronized_data_streamer {
    counts: {
        // count the sum of valid DAC flags
        sum DAC[i].valid (i = 1 to num_DACs)
    }
    targets: {
        // trigger when the sum equals the number of DACs
        num_DACs
    }
    actions: {
        // stream DACs' data into photonic cores
        stream DAC[i].data (i = 1 to num_DACs)
        raise ADC.valid after delay_lines + flight cycles
    }
};

// Samples arrive a fraction of a cycle late: the last word ends one cycle later.
module sample_tail {
    counts: {
        count ADC.valid
    }
    targets: {
        preamble + layer_words
    }
    actions: {
        raise ADC.valid after realign cycles
    }
};

module sampler {
    counts: {
        count ADC.valid
    }
    targets: {
        1
    }
    actions: {
        sample ADC.data
        raise window.ready after averaging_tree + detector cycles
    }
};

module preamble_detector {
    counts: {
        // pattern matches at each offset of the samples
        max window[i].match (i = 0 to last_offset)
    }
    targets: {
        preamble
    }
    actions: {
        align window.offset
        reset preamble_timeout
    }
};

// A missing preamble is an error.
module preamble_timeout {
    counts: {
        // words searched without a match
        count window.searched
    }
    targets: {
        preamble + timeout
    }
    actions: {
        fail "no preamble at any offset: modulators are skewed, or there is too little light"
    }
};

module realigner {
    counts: {
        count window.ready
    }
    targets: {
        1
    }
    actions: {
        emit window.word
        match window.pattern
    }
};

// Signs and the mask of zero operands are applied to every word on its way to the adders.
module adder_subtractor {
    counts: {
        count product.word
    }
    targets: {
        1
    }
    actions: {
        add product.word
        raise partial.valid after adder_tree + accumulator cycles
    }
};

module integration {
    counts: {
        // cycles of a dot product
        count partial.valid
    }
    targets: {
        dot_words
    }
    actions: {
        emit partial.sum
        raise sum.valid after activation cycles
    }
};

module nonlinearity {
    counts: {
        count sum.valid
    }
    targets: {
        1
    }
    actions: {
        rectify sum.value
        raise result.valid after write cycles
    }
};

module inter_layer_buffer {
    counts: {
        // results written
        count result.valid
    }
    targets: {
        layer_width
    }
    actions: {
        normalize buffer.values
        raise layer.done after normalization cycles
    }
};

module buffer_swap {
    counts: {
        count layer.done
    }
    targets: {
        1
    }
    actions: {
        swap buffer.halves
        raise layer.request after swap cycles
    }
};

module softmax {
    counts: {
        count layer.done
    }
    targets: {
        num_layers
    }
    actions: {
        halt layer.request
        run softmax.logarithm
        raise softmax.done after softmax cycles
    }
};

module result_sender {
    counts: {
        count softmax.done
    }
    targets: {
        1
    }
    actions: {
        raise result.sent after result cycles
    }
};

module end {
    counts: {
        count result.sent
    }
    targets: {
        1
    }
    actions: {
        stop
    }
};
)";

}  // namespace

std::string_view lightning_modules_text() { return kModules; }

Hardware lightning_hardware() {
  return {{"load layer.targets", "read input.word", "read weight.word", "stream DAC.data",
           "sample ADC.data", "emit window.word", "match window.pattern", "align window.offset",
           "add product.word", "emit partial.sum", "rectify sum.value", "normalize buffer.values",
           "swap buffer.halves", "run softmax.logarithm"},
          {"packet.parsed", "window.match", "window.searched", "product.word"}};
}

std::set<std::string, std::less<>> loaded_targets() {
  return {"layer_words", "dot_words", "layer_width", "num_layers"};
}

Targets lightning_targets(const PhotonicDatapath& datapath) {
  const PhotonicLatency latency;
  return {
      {"start", latency.start},
      {"configure", latency.configure},
      {"preamble", latency.preamble},
      {"memory", latency.memory},
      {"delay_lines", latency.delay_lines},
      {"flight", latency.flight},
      {"realign", latency.realign},
      {"averaging_tree", tree_depth(datapath)},
      {"detector", latency.detector},
      {"compensator", latency.compensator},
      {"signs", latency.signs},
      {"adder_tree", tree_depth(datapath)},
      {"accumulator", latency.accumulator},
      {"activation", latency.activation},
      {"write", latency.write},
      {"normalization", latency.normalization},
      {"swap", latency.swap},
      {"softmax", latency.softmax},
      {"result", latency.result},
      {"timeout", 2},  // words after which the preamble counts as missing
      {"num_DACs", 2},
      {"last_offset", datapath.lanes - 1},
      {"layer_words", 1},
      {"dot_words", 1},
      {"layer_width", 1},
      {"num_layers", 1},
  };
}

}  // namespace loom::photonic
