#!/usr/bin/env python3
"""A bot for both games that looks one move ahead. docs/bots.md explains how to write one.

    endstation arena --game metro --seats greedy,mine=exec:'python3 examples/bot.py' --games 20

It knows no rules: it asks `endstation engine` (or $ENDSTATION) which events are legal, and what the
game looks like after each. Its own arguments, such as --map FILE, are passed on to the engine.
"""
import itertools
import os
import subprocess
import sys

engine = subprocess.Popen([os.environ.get('ENDSTATION', 'endstation'), 'engine', *sys.argv[1:]],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answers(*lines):
    """Sends lines to the engine; gives the lines of its answer, up to `end`."""
    print(*lines, sep='\n', file=engine.stdin, flush=True)
    return itertools.takewhile(lambda line: line != 'end', map(str.strip, engine.stdout))


def value(player):
    """How good the engine's position is for a player, from what `replay` prints."""
    total = 0
    for words in map(str.split, answers('replay')):
        facts = dict(zip(words[2::2], words[3::2]))
        if words[0] == 'line':  # metro: an ended line. Before 8 points that is bad for its owner
            total += (int(facts['points']) - 8) * (1 if facts['owner'] == player else -1)
        elif words[:2] == ['player', player] and 'empty' in facts:  # verplant
            total += int(facts['transfers']) - int(facts['empty'])
    return total


def choose(position, player, seed):
    """A legal event with the best position after it; the seed chooses between equal ones."""
    events = [event for event in answers('moves') if event.split()[0] == player]
    values = []
    for event in events:
        next(answers('position', *position, event, 'end'))
        values.append(value(player))
    best = [event for event, good in zip(events, values) if good == max(values)]
    return best[seed % len(best)]


engine.stdout.readline()  # its greeting; ours:
print('endstation-engine 1 example 1', flush=True)
lines = map(str.strip, sys.stdin)
for line in lines:  # until the arena closes our input
    words = line.split()
    if line == 'position':
        position = list(itertools.takewhile(lambda line: line != 'end', lines))
        print(next(answers('position', *position, 'end')), flush=True)  # `ok`, or `error …`
    elif words and words[0] == 'go':
        asked = dict(zip(words[1::2], words[2::2]))
        print('best', choose(position, asked['player'], int(asked['seed'])), flush=True)
    elif line == 'quit':
        break
