"""What a command costs. Processor time is what counts: on a busy machine the time on the wall says
more about the others."""

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
    """Runs `command` in `folder`; its children count too."""
    os.chdir(folder)
    nowhere = os.open(os.devnull, os.O_RDWR)
    streams = [(os.POSIX_SPAWN_DUP2, nowhere, stream) for stream in range(3)]
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
    _, _, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    os.close(nowhere)
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def compare(runs, rounds, patience):
    """The best cost of each of `runs`, a command and a folder by name. They take turns, so that
    what else the machine does meets all of them. What is slow runs less often: no more once it
    has taken `patience` seconds."""
    best, spent = {}, dict.fromkeys(runs, 0.0)
    for _ in range(rounds):
        for name, (command, folder) in runs.items():
            if spent[name] > patience:
                continue
            once = cost(command, folder)
            best[name] = once.best(best.get(name, once))
            spent[name] += once.wall
    return best


def keep_calm():
    """Goes before the other work on this machine, where that is allowed."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    except PermissionError:
        pass


def pin():
    """Puts this process, and all it starts, on one core, so that no tool uses more of them than
    another. Gives what takes it back."""
    if not hasattr(os, "sched_setaffinity"):
        return lambda: None
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    return lambda: os.sched_setaffinity(0, cores)
