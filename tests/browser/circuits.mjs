// Sample reports of circuit fabrics for the page's tests.
import { training } from './fixture.mjs';

const KINDS = [
  { name: 'tensor forward', category: 'tensor' },
  { name: 'tensor backward', category: 'tensor' },
  { name: 'data', category: 'data' },
  { name: 'pipeline forward', category: 'pipeline' },
];

// Bytes per kind of a pair: tensor within groups of 4, a data ring of stride 4, pipeline elsewhere.
function load(from, to) {
  if (from >> 2 === to >> 2) return [from, to, 2e9, 4e9, 0, 0];
  if (Math.abs(from - to) === 4) return [from, to, 0, 0, 3e9, 1e9];
  return [from, to, 0, 0, 0, 0];
}

function with_loads(circuits) {
  const pairs = new Map(circuits.map(([from, to]) => [`${from} ${to}`, load(from, to)]));
  return [...pairs.values()];
}

// A ring of fiber: `devices` devices, 2 fibers in both directions, 3 wavelengths. The third
// wavelength of the second fiber is unused.
export function ring(devices = 16) {
  const circuits = [];
  for (let plane = 0; plane < 4; ++plane) {
    for (let from = 0; from < devices; ++from) {
      const step = plane % 2 ? devices - 1 : 1;
      circuits.push([from, (from + step) % devices, plane, 0]);
    }
    for (let from = 0; from < devices; from += 4) {
      const to = (from + (plane % 2 ? devices - 4 : 4)) % devices;
      circuits.push([from, to, plane, 1]);
    }
    if (plane < 2) {
      const ends = [devices - 2, 2];
      circuits.push([ends[plane % 2], ends[1 - (plane % 2)], plane, 2]);
    }
  }
  return {
    limits: 'ring',
    devices,
    fibers: 2,
    directions: 2,
    wavelengths: 3,
    ports: Array(devices).fill(12),
    circuit_bps: 25e9,
    switch_time_ps: 25e6,
    kinds: KINDS,
    estimated: false,
    loads: [with_loads(circuits)],
    sets: [{ name: '', circuits, loads: 0, active_ps: 6e12 }],
    all_sets: 1,
    from_ps: 3e12,
    to_ps: 6e12,
  };
}

// Switches: each device has a circuit to the next device of its group, and to the device 4 further.
export function switches(devices = 16) {
  const circuits = [];
  for (let from = 0; from < devices; ++from) {
    circuits.push([from, (from & ~3) + ((from + 1) & 3), 0, 0], [from, (from + 4) % devices, 1, 0]);
  }
  return {
    ...ring(4),
    limits: 'switches',
    devices,
    switches: 4,
    fibers: undefined,
    directions: undefined,
    wavelengths: undefined,
    ports: Array(devices).fill(4),
    loads: [with_loads(circuits)],
    sets: [{ name: '', circuits, loads: 0, active_ps: 6e12 }],
  };
}

// Two sets of circuits that alternate: 0 from the start, a change every 500 ms.
export function phases(devices = 16) {
  const once = switches(devices);
  const on = (plane) => once.sets[0].circuits.filter((each) => each[2] === plane);
  const [tensor, data] = [on(0), on(1)];
  return {
    ...once,
    switch_time_ps: 1e11,
    loads: [with_loads(tensor), with_loads(data)],
    sets: [
      { name: 'tensor forward, tensor backward', circuits: tensor, loads: 0, active_ps: 3e12 },
      { name: 'data', circuits: data, loads: 1, active_ps: 2e12 },
    ],
    all_sets: 2,
    switches_over_time: [
      [3e12, 3e12, 0],
      [3.5e12, 3.6e12, 1],
      [4e12, 4.1e12, 0],
      [4.5e12, 4.6e12, 1],
    ],
  };
}

const planned = (name, circuits, more = {}) => ({
  ...training(name, '400 Gbps', 1),
  lower_bound_ps: 3e11,
  circuits,
  ...more,
});

export const all_circuits = () => ({
  title: 'Circuits of three fabrics',
  results: [planned('ring', ring()), planned('ocs', switches()), planned('ocs moved', phases())],
});

export const large_circuits = () => ({
  title: 'Large fabrics',
  results: [
    planned('64', ring(64)),
    planned('128', switches(128)),
    planned('1024', phases(1024), { lower_bound_ps: undefined }),
  ],
});
