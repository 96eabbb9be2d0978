#!/usr/bin/python3
"""Plans seven jobs on optical fabrics and prints their times over that of an ideal switch, and over
the lower bounds that no plan can beat.

Usage: circuits.py [--bandwidth GBPS] [--gpus N] [--job NAME]... [--json]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/release/bin/lightloom"
JOBS = {
    "llama3-8b": "batch: 64",
    "mixtral-8x7b": "batch: 64",
    "gpt2-1.5b": "batch: 64",
    "transformer-big": "batch: 256",
    "bert-large": "batch: 256",
    "vgg-16": "batch: 512, partition: auto",
    "dlrm": "batch: 4096",
}
FABRICS = {  # the bandwidth of a device is appended, as a share of B
    "switch": ("kind: switch", 1.0),
    "switch, B/2": ("kind: switch", 0.5),
    "sip_ocs": ("kind: sip_ocs, switches: 8", 1.0),
    "+ phases": ("kind: sip_ocs, switches: 8, reconfigure: phases, switch_time: 25 us", 1.0),
    "sip_ring": ("kind: sip_ring, reach: 16", 1.0),
    "+ phases ": ("kind: sip_ring, reach: 16, reconfigure: phases, switch_time: 25 us", 1.0),
    "topoopt": ("kind: topoopt, degree: 8", 1.0),
    "topoopt, rule": ("kind: topoopt, degree: 8, split: rule", 1.0),
    "oddl": ("kind: oddl", 1.0),
}


def plan(job, fabric, options):
    """Returns the plan as JSON (None: no plan) and CPU seconds."""
    kind, share = FABRICS[fabric]
    bandwidth = round(options.bandwidth * share)
    scenario = (
        f"workload: {{model: {job}, {JOBS[job]}}}\ngpus: {options.gpus}\naccelerator: a100\n"
        f"fabric: {{{kind}, bandwidth: {bandwidth} Gbps, latency: 1 us}}\n"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file, tempfile.TemporaryFile() as out:
        file.write(scenario)
        file.flush()
        command = [PROGRAM, "simulate", "--json", "--threads", "1", file.name]
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, use = os.wait4(child.pid, 0)
        out.seek(0)
        text = out.read()
    cpu = use.ru_utime + use.ru_stime
    if status != 0:
        return None, cpu
    return json.loads(text), cpu


def seconds(planned):
    return planned and planned["iteration_time"] / 1e12


def gap(planned):
    """The time over the bound of all strategies, and over that of the chosen one."""
    return planned and (planned.get("gap"), planned.get("gap_of_strategy"))


def print_gaps(planned, jobs):
    """Prints the gaps of all cells, and their means."""
    print("\n| gap | " + " | ".join(name.strip() for name in FABRICS) + " |")
    print("| --- " * (len(FABRICS) + 1) + "|")
    gaps = []
    for job in jobs:
        row = [gap(planned[job, fabric].result()[0]) for fabric in FABRICS]
        gaps += [it for it in row if it and it[0]]
        print(f"| {job} | " + " | ".join(f"{it[0]:.2f}" if it and it[0] else "-" for it in row) + " |")
    of_all, of_strategy = ([it[k] for it in gaps if it[k]] for k in (0, 1))
    if not of_all:
        return
    print(f"\nmean gap {sum(of_all) / len(of_all):.3f}, largest {max(of_all):.2f}; with the chosen "
          f"strategy {sum(of_strategy) / len(of_strategy):.3f}, largest {max(of_strategy):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bandwidth", type=int, default=400, help="of a device, in Gbps")
    parser.add_argument("--gpus", type=int, default=64)
    parser.add_argument("--job", action="append", choices=list(JOBS), help="only this job")
    parser.add_argument("--json", action="store_true", help="seconds and gaps, as JSON")
    options = parser.parse_args()
    jobs = options.job or list(JOBS)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        planned = {
            (job, fabric): pool.submit(plan, job, fabric, options)
            for job in jobs
            for fabric in FABRICS
        }
        if options.json:
            json.dump({job: {fabric: {"seconds": seconds(planned[job, fabric].result()[0]),
                                      "gaps": gap(planned[job, fabric].result()[0])}
                             for fabric in FABRICS}
                       for job in jobs}, sys.stdout, indent=2)
            print()
            return
        print("| job | " + " | ".join(name.strip() for name in FABRICS) + " | CPU |")
        print("| --- " * (len(FABRICS) + 2) + "|")
        for job in jobs:
            results = [planned[job, fabric].result() for fabric in FABRICS]
            times = [seconds(it) for it, _ in results]
            cells = [f"{1000 * times[0]:.4g} ms"]
            cells += ["no plan" if time is None else f"{time / times[0]:.2f}" for time in times[1:]]
            cpu = sum(it for _, it in results)
            print(f"| {job} | " + " | ".join(cells) + f" | {cpu:.0f} s |", flush=True)
        print_gaps(planned, jobs)


main()
