// Sample reports for the page's tests: one with every section, and the corner cases.

const ms = (count) => Math.round(count * 1e9);

function timeline(devices, spans_per_lane) {
  const kinds = ['compute', 'tensor', 'compute', 'data', 'pipeline', 'expert', 'context', 'other'];
  const lanes = [];
  for (let device = 0; device < devices; ++device) {
    const spans = [];
    const step = ms(400) / spans_per_lane;
    for (let i = 0; i < spans_per_lane; ++i) {
      const start = Math.round(i * step + device * step * 0.2);
      const kind = kinds[(i + device) % kinds.length];
      spans.push([
        start,
        Math.round(start + step * (0.6 + (0.3 * ((i * 7) % 5)) / 5)),
        `${kind === 'compute' ? 'forward' : 'all_reduce'} ${i}`,
        kind,
      ]);
    }
    lanes.push({ name: `device ${device} ${device % 2 ? 'sends' : 'computes'}`, spans });
  }
  return { from_ps: 0, to_ps: ms(410), lanes };
}

function breakdown(scale) {
  return [
    { name: 'compute', time_ps: ms(210) },
    { name: 'all_reduce (tensor)', time_ps: ms(80 * scale) },
    { name: 'all_gather (tensor)', time_ps: ms(22 * scale) },
    { name: 'reduce_scatter (data)', time_ps: ms(34 * scale) },
    { name: 'point_to_point (pipeline)', time_ps: ms(9 * scale) },
    { name: 'pipeline bubble', time_ps: ms(41) },
  ];
}

const sum = (categories) => categories.reduce((all, each) => all + each.time_ps, 0);

function traffic(count) {
  const labels = Array.from({ length: count }, (_, i) => `devices ${16 * i}-${16 * i + 15}`);
  const bytes = labels.map((_, from) =>
    labels.map((_, to) =>
      from === to
        ? 0
        : Math.abs(from - to) === 1
          ? 9e9
          : (from ^ to) === 8
            ? 4e9
            : from % 4 === to % 4
              ? 8e8
              : 0,
    ),
  );
  return { unit: 'group of 16 devices', labels, bytes };
}

export function training(name, bandwidth, scale, lanes = 9, spans = 60) {
  const categories = breakdown(scale);
  return {
    name,
    axes: { 'fabric.bandwidth': bandwidth },
    completion_time_ps: 12 * sum(categories),
    iteration_time_ps: sum(categories),
    engine: 'fluid',
    strategy: 'tensor 8, pipeline 8, data 16, micro-batch 2, interleaved 2, zero 1',
    metrics: [
      {
        name: 'tokens per second',
        text: `${((5.24 / sum(categories)) * 1e11).toFixed(2)} M/s`,
        value: (5.24 / sum(categories)) * 1e17,
      },
      {
        name: 'model flops utilization',
        text: `${(18 / scale + 20).toFixed(1)} %`,
        value: 0.18 / scale + 0.2,
      },
      { name: 'communication share', text: '34.9 %', value: 0.349 },
      { name: 'bytes over the fabric', text: '1.284 TB', value: 1.284e12 },
    ],
    memory: {
      limit: 80e9,
      components: [
        { name: 'weights', bytes: 5.5e9 },
        { name: 'gradients', bytes: 5.5e9 },
        { name: 'optimizer state', bytes: 22e9 },
        { name: 'activations', bytes: 31e9 * scale },
        { name: 'buffers', bytes: 1.5e9 },
      ],
    },
    breakdown: categories,
    stages: Array.from({ length: 8 }, (_, i) => ({
      name: `stage ${i}`,
      breakdown: breakdown(scale).map((category, k) => ({
        ...category,
        time_ps: Math.round(category.time_ps * (1 + (((i * 5 + k) % 7) - 3) / 40)),
      })),
    })),
    traffic: traffic(16),
    links: Array.from({ length: 40 }, (_, i) => ({
      name: `${i}->leaf${i >> 3}`,
      bytes: Math.round(9e10 * (1 - i / 60)),
      utilization: 0.93 * (1 - i / 60),
      capacity_bps: 4e11,
    })),
    timeline: timeline(lanes, spans),
    critical_path: Array.from({ length: 36 }, (_, i) => ({
      from_ps: ms(i * 11),
      to_ps: ms(i * 11 + 4 + (i % 4) * 2),
      name: i % 3 ? `forward ${i} on device ${i % 8}` : `all_reduce ${i} over devices 0-7`,
      category: i % 3 ? 'compute' : 'tensor',
    })),
    ranking: [
      {
        strategy: 'tensor 8, pipeline 8, data 16, micro-batch 2, interleaved 2, zero 1',
        iteration_time_ps: sum(categories),
        memory_bytes: 65.5e9,
        fits: true,
        note: '',
      },
      {
        strategy: 'tensor 4, pipeline 16, data 16',
        iteration_time_ps: sum(categories) * 1.04,
        memory_bytes: 71e9,
        fits: true,
        note: '',
      },
      {
        strategy: 'tensor 8, pipeline 4, data 32',
        iteration_time_ps: sum(categories) * 0.97,
        memory_bytes: 118e9,
        fits: false,
        note: 'needs 118 GB of 80 GB',
      },
      {
        strategy: 'tensor 16, pipeline 8, data 8',
        iteration_time_ps: sum(categories) * 1.31,
        memory_bytes: 39e9,
        fits: true,
        note: 'tensor leaves the server',
      },
    ],
    advice: [
      { what: 'twice the bandwidth of the links from devices to leaf switches', gain: 0.124 },
      { what: 'half the latency of 0->leaf0', gain: 0.011 },
      { what: 'twice as fast devices', gain: 0.41 },
    ],
  };
}

const SCENARIO = `model: gpt3-175b
gpus: 1024
fabrics:
  - {kind: fat_tree, radix: 8, bandwidth: [100 Gbps, 200 Gbps, 400 Gbps, 800 Gbps], latency: 500 ns}
  - {kind: rail, bandwidth: [100 Gbps, 200 Gbps, 400 Gbps, 800 Gbps], latency: 500 ns}
`;

const CLAIMS = [
  {
    claim: 'TopoOpt trains up to 3.4 times faster than a fat-tree of equal cost',
    source: 'TopoOpt, NSDI 2023, figure 11',
    rule: 'within 20 %',
    published: 3.4,
    ours: 3.127,
    holds: true,
  },
  {
    claim: 'The pipeline bubble is 12.5 % with 8 stages and 56 micro-batches',
    source: 'Megatron-LM, SC 2021, section 2.2',
    rule: 'within 1 %',
    published: 0.125,
    ours: 0.125,
    holds: true,
  },
  {
    claim: 'An all-to-all on a ring loses more than half of its bandwidth',
    source: 'a source',
    rule: 'at most',
    published: 0.5,
    ours: 0.61,
    holds: false,
  },
];

// A report with every section.
export function full() {
  const bandwidths = [
    ['100 Gbps', 2.6],
    ['200 Gbps', 1.5],
    ['400 Gbps', 1],
    ['800 Gbps', 0.7],
  ];
  return {
    version: '0.1.0',
    title: 'gpt3-175b on 1024 gpus',
    scenario: SCENARIO,
    claims: CLAIMS,
    command: 'lightloom compare gpt3.yaml --report gpt3.html',
    results: [
      ...bandwidths.map(([rate, scale]) => training('fat_tree', rate, scale)),
      ...bandwidths.map(([rate, scale]) => training('rail', rate, scale * 0.86)),
    ],
  };
}

export const ATTACK =
  '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2">';

// The report with markup in every string that a careless page would execute.
export function poisoned(value) {
  if (typeof value === 'string') return `${ATTACK} <!-- {{1}} \u2028 \u202e ${value}`;
  if (Array.isArray(value)) return value.map(poisoned);
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, poisoned(each)]));
  }
  return value;
}

export function hostile() {
  const report = full();
  return poisoned({ ...report, results: report.results.slice(0, 3) });
}

// A collective: no iteration, few sections.
export const collective = () => ({
  version: '0.1.0',
  title: 'all_reduce of 1 GB over 64 gpus',
  results: [
    {
      name: 'switch',
      completion_time_ps: 39500000000,
      engine: 'fluid',
      metrics: [{ name: 'bus bandwidth', text: '398.7 Gbps', value: 3.987e11 }],
    },
  ],
});

export function forty() {
  const results = Array.from({ length: 40 }, (_, i) => ({
    name:
      i % 5 ? `fabric ${i}` : `a_fabric_with_a_very_long_name_of_${'many_'.repeat(9)}parts_${i}`,
    completion_time_ps: ms(40 + ((i * 37) % 40)),
  }));
  return { title: 'Forty fabrics', results };
}

export const busy = () => ({
  title: 'A busy iteration',
  results: [training('fat_tree', '400 Gbps', 1, 50, 100)],
});
