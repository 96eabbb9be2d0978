// The arithmetic of one dense layer as SystemVerilog.
//
// Implements the modules' operations like EngineDatapath: reads words, multiplies them, delays the
// products as the optical path would, finds their offset by the preamble, applies signs,
// accumulates sums over cycles, and rectifies and scales them. A multiplier replaces the optical
// path.
#include "loom/photonic/verilog/verilog_emit.h"

namespace loom::photonic {
namespace {

constexpr std::string_view kDatapath = R"(// Words in flight between operations.
module lightning_queue #(
    parameter int WIDTH = 8,
    parameter int DEPTH = 64
) (
    input logic clock,
    input logic clear,
    input logic push,
    input logic pop,
    input logic [WIDTH-1:0] in,
    output logic [WIDTH-1:0] front
);
  localparam int BITS = $clog2(DEPTH);
  logic [WIDTH-1:0] words[DEPTH];
  logic [BITS-1:0] first, last;

  assign front = first == last ? '0 : words[first];

  always_ff @(posedge clock) begin
    if (push) words[last] <= in;
    if (clear) begin
      first <= '0;
      last <= '0;
    end else begin
      if (push) last <= last + 1'b1;
      if (pop && first != last) first <= first + 1'b1;
    end
  end
endmodule

// Memories are written while the layer is idle. A word is one value per lane, lane 0 in the
// lowest bits; weights have signs, sums start with initial sums.
module lightning_datapath #(
    parameter int LANES = 16,
    parameter logic [7:0] KEPT = 8'hff,  // bits of a product that the ADC keeps
    parameter int SIGNS = 2,             // cycles from a word to its sum
    parameter int DEPTH = 64,            // words in flight
    parameter int WORDS = 4096,          // size of the input and weight memories
    parameter int OUTPUTS = 256
) (
    input logic clock,
    input logic reset,
    input logic [31:0] preamble,
    input logic [31:0] dot_words,
    input logic [$clog2(LANES)-1:0] offset,  // samples by which the ADC starts late
    input logic write_input,
    input logic write_weight,
    input logic write_first,
    input logic [31:0] write_address,
    input logic [LANES-1:0][7:0] write_word,
    input logic [LANES-1:0] write_signs,
    input logic [15:0] write_sum,
    input logic do_load_layer_targets,
    input logic do_read_input_word,
    input logic do_read_weight_word,
    input logic do_stream_DAC_data,
    input logic do_sample_ADC_data,
    input logic do_align_window_offset,
    input logic do_emit_window_word,
    input logic do_match_window_pattern,
    input logic do_add_product_word,
    input logic do_emit_partial_sum,
    input logic do_rectify_sum_value,
    input logic do_normalize_buffer_values,
    input logic partial_valid,
    output logic [LANES-1:0] raised_window_match,
    output logic raised_window_searched,
    output logic raised_product_word,
    output logic sum_written,
    output logic [15:0] sum,
    input logic [31:0] read_address,
    output logic [15:0] read_sum,
    output logic [7:0] read_value
);
  typedef logic [LANES-1:0][7:0] word_t;
  localparam word_t PREAMBLE = {{(LANES / 2) {8'h00}}, {(LANES / 2) {8'hff}}};
  localparam int BITS = LANES * 8;  // per word
  localparam int LANE_BITS = $clog2(LANES);
  localparam int WORD_BITS = $clog2(WORDS);
  localparam int OUTPUT_BITS = $clog2(OUTPUTS);

  logic clear;
  assign clear = reset || do_load_layer_targets;

  // Memories and the words on the DACs.
  word_t inputs[WORDS];
  word_t weights[WORDS];
  logic [LANES-1:0] signs[WORDS];
  logic [15:0] first_sums[OUTPUTS];
  logic [31:0] inputs_read, weights_read, input_address, weight_address, streamed;
  word_t input_word, weight_word, input_front, weight_front;
  logic [LANES-1:0] weight_signs, sign_front;

  assign input_word = inputs_read < preamble ? PREAMBLE : inputs[WORD_BITS'(input_address)];
  assign weight_address = weights_read - preamble;
  assign weight_word = weights_read < preamble ? PREAMBLE : weights[WORD_BITS'(weight_address)];

  always_ff @(posedge clock) begin
    if (write_input) inputs[WORD_BITS'(write_address)] <= write_word;
    if (write_weight) weights[WORD_BITS'(write_address)] <= write_word;
    if (write_weight) signs[WORD_BITS'(write_address)] <= write_signs;
    if (write_first) first_sums[OUTPUT_BITS'(write_address)] <= write_sum;
    if (clear) begin
      inputs_read <= '0;
      weights_read <= '0;
      input_address <= '0;
      streamed <= '0;
    end else begin
      if (do_read_input_word) inputs_read <= inputs_read + 1;
      if (do_read_input_word && inputs_read >= preamble) begin
        input_address <= input_address + 1 == dot_words ? '0 : input_address + 1;
      end
      if (do_read_weight_word) weights_read <= weights_read + 1;
      if (do_stream_DAC_data) streamed <= streamed + 1;
    end
  end

  lightning_queue #(LANES * 8, DEPTH) input_queue (
      clock, clear, do_read_input_word, do_stream_DAC_data, input_word, input_front
  );
  lightning_queue #(LANES * 9, DEPTH) weight_queue (
      clock, clear, do_read_weight_word, do_stream_DAC_data,
      {signs[WORD_BITS'(weight_address)], weight_word}, {weight_signs, weight_front}
  );
  lightning_queue #(LANES, DEPTH) sign_queue (
      clock, clear, do_stream_DAC_data && streamed >= preamble, do_add_product_word,
      weight_signs, sign_front
  );

  // Light: products, and samples that start anywhere in them.
  word_t products, product_front, last_products, sampled, sampled_front;

  always_comb begin
    for (int lane = 0; lane < LANES; lane++) begin
      products[lane] = 8'((16'(input_front[lane]) * 16'(weight_front[lane])) >> 8) & KEPT;
    end
  end
  assign sampled = BITS'({product_front, last_products} >> (8 * (LANES - 32'(offset))));

  always_ff @(posedge clock) begin
    if (clear) last_products <= '0;
    else if (do_sample_ADC_data) last_products <= product_front;
  end

  lightning_queue #(LANES * 8, DEPTH) light (
      clock, clear, do_stream_DAC_data, do_sample_ADC_data, products, product_front
  );
  lightning_queue #(LANES * 8, DEPTH) sample_queue (
      clock, clear, do_sample_ADC_data, do_emit_window_word, sampled, sampled_front
  );

  // Preamble detection over two cycles of samples, and realigned words.
  word_t earlier, later, earlier_next, later_next, window, word_front;
  logic aligned, aligned_next, candidate, matched;
  logic [LANE_BITS-1:0] start, start_next, candidate_start, matched_start;
  logic [SIGNS-1:0] word_line;

  assign earlier_next = do_emit_window_word ? later : earlier;
  assign later_next = do_emit_window_word ? sampled_front : later;
  assign aligned_next = do_align_window_offset ? candidate : aligned;
  assign start_next = do_align_window_offset ? candidate_start : start;
  assign window = BITS'({later_next, earlier_next} >> (8 * 32'(start_next)));

  function automatic logic fits(word_t word);
    logic [31:0] total;
    total = '0;
    for (int lane = 0; lane < LANES; lane++) total += 32'(word[lane]);
    fits = total != 0;
    for (int lane = 0; lane < LANES; lane++) begin
      if ((32'(word[lane]) * LANES >= total) != (lane < LANES / 2)) fits = 1'b0;
    end
  endfunction

  always_comb begin
    matched = 1'b0;
    matched_start = '0;
    for (int i = LANES - 1; i >= 0; i--) begin
      if (fits(BITS'({later_next, earlier_next} >> (8 * i)))) begin
        matched = 1'b1;
        matched_start = LANE_BITS'(i);
      end
    end
  end

  assign raised_product_word = word_line[0];

  always_ff @(posedge clock) begin
    if (clear) begin
      earlier <= '0;
      later <= '0;
      aligned <= 1'b0;
      candidate <= 1'b0;
      word_line <= '0;
      raised_window_match <= '0;
      raised_window_searched <= 1'b0;
    end else begin
      earlier <= earlier_next;
      later <= later_next;
      aligned <= aligned_next;
      start <= start_next;
      word_line <= (word_line >> 1) | (SIGNS'(do_emit_window_word && aligned_next) << (SIGNS - 1));
      raised_window_searched <= do_match_window_pattern && !aligned_next;
      raised_window_match <= '0;
      if (do_match_window_pattern && !aligned_next) begin
        candidate <= matched;
        candidate_start <= matched_start;
        raised_window_match <= LANES'(matched) << matched_start;
      end
    end
  end

  lightning_queue #(LANES * 8, DEPTH) word_queue (
      clock, clear, do_emit_window_word && aligned_next, do_add_product_word, window, word_front
  );

  // Signs, the adder tree, and accumulation over cycles.
  logic signed [31:0] partial, partial_front, added, whole;
  logic [15:0] emitted_front;
  logic [OUTPUT_BITS-1:0] dot;

  always_comb begin
    partial = '0;
    for (int lane = 0; lane < LANES; lane++) begin
      if (sign_front[lane]) partial -= 32'(word_front[lane]);
      else partial += 32'(word_front[lane]);
    end
  end
  assign whole = added + (partial_valid ? partial_front : '0);

  always_ff @(posedge clock) begin
    if (clear) begin
      added <= '0;
      dot <= '0;
    end else begin
      added <= do_emit_partial_sum ? '0 : whole;
      if (do_emit_partial_sum) dot <= dot + 1'b1;
    end
  end

  lightning_queue #(32, DEPTH) partial_queue (
      clock, clear, do_add_product_word, partial_valid, partial, partial_front
  );
  lightning_queue #(16, DEPTH) sum_queue (
      clock, clear, do_emit_partial_sum, do_rectify_sum_value, 16'(whole) + first_sums[dot],
      emitted_front
  );

  // The buffer between layers: raw sums, and activations for the next layer.
  logic [15:0] sums[OUTPUTS];
  logic [OUTPUT_BITS-1:0] results;
  logic [15:0] largest, rectified;
  logic [3:0] highest, highest_now;

  assign sum_written = do_rectify_sum_value;
  assign sum = emitted_front;
  assign read_sum = sums[OUTPUT_BITS'(read_address)];
  assign rectified = read_sum[15] ? '0 : read_sum;
  assign read_value = highest < 7 ? 8'(rectified << (7 - highest)) : 8'(rectified >> (highest - 7));

  always_comb begin
    highest_now = 4'd7;
    for (int i = 0; i < 15; i++) if (largest[i]) highest_now = 4'(i);
  end

  always_ff @(posedge clock) begin
    if (clear) begin
      results <= '0;
      largest <= '0;
      highest <= 4'd7;
    end else begin
      if (do_rectify_sum_value) begin
        sums[results] <= emitted_front;
        results <= results + 1'b1;
        if (!emitted_front[15] && emitted_front > largest) largest <= emitted_front;
      end
      if (do_normalize_buffer_values) highest <= highest_now;
    end
  end
endmodule
)";

}  // namespace

std::string_view datapath_verilog() { return kDatapath; }

}  // namespace loom::photonic
