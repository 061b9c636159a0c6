"""Measures the cost of a command. Processor time is compared, because on a busy machine wall time
depends mostly on other processes."""

import os
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    processor: float
    wall: float

    def best(self, other):
        return Cost(min(self.processor, other.processor), min(self.wall, other.wall))


def cost(command, folder):
    """Returns the cost of running `command` in `folder`, including child processes."""
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_RDWR)
    streams = [(os.POSIX_SPAWN_DUP2, nowhere, stream) for stream in range(3)]
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
    _, _, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    os.close(nowhere)
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def compare(runs, rounds, time_budget):
    """Returns the best cost of each of `runs`, which maps a name to a command and a folder. The
    commands take turns, so that other load affects all of them. A command is not run again once
    it has taken `time_budget` seconds."""
    best, spent = {}, dict.fromkeys(runs, 0.0)
    for _ in range(rounds):
        for name, (command, folder) in runs.items():
            if spent[name] > time_budget:
                continue
            once = cost(command, folder)
            best[name] = once.best(best.get(name, once))
            spent[name] += once.wall
    return best


def raise_priority():
    """Raises the priority of this process, if that is allowed."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    except PermissionError:
        pass


def pin():
    """Pins this process and its children to one core, so that all tools use the same number of
    cores. Returns a function that undoes it."""
    if not hasattr(os, "sched_setaffinity"):
        return lambda: None
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    return lambda: os.sched_setaffinity(0, cores)
