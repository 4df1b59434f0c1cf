"""The ways to spell an operation in Python: (stream that must be current or None, text).

`w` is the writer of the program (write_python.py): w.ref() gives a name, w.cuda the spelling of torch.cuda.
"""
EMPTY = ('torch.empty(n, device="cuda")', 'torch.empty(n, device="cuda")', 'torch.zeros(n, device="cuda")',
         'torch.empty((n,), dtype=torch.float32, device="cuda")', 'torch.ones(n, device="cuda")', "make(n)",
         'torch.empty(n, device="cuda") if n else torch.zeros(1, device="cuda")', 'torch.full((n,), 1, device="cuda")')


def alloc(w, block, stream):
    ways = [(stream, f"{block} = {text}") for text in EMPTY]
    if block.isidentifier():
        ways += [(stream, f"({block} := {EMPTY[0]})"), (stream, f"{block}: torch.Tensor = {EMPTY[0]}")]
    return ways + [(None, f"{block} = make_on(n, {stream})"), (None, f"{block} = make_on(stream={stream}, n=n)")]


def record(w, block, stream):
    return [(None, f"{block}.record_stream({stream})")] * 4 + [
        (stream, f"{block}.record_stream({w.current})"),
        (None, f"torch.Tensor.record_stream({block}, {stream})"),
        (None, f"torch.ops.aten.record_stream({block}, {stream})"),
        (None, f"keep_for({block}, {stream})"),
        (None, f"keep_for(stream={stream}, t={block})"),
        (None, f"keep_all([{block}], {stream})"),
        (None, f"(lambda t: t.record_stream({stream}))({block})"),
        (None, f"[t.record_stream({stream}) for t in ({block},)]"),
        (None, f"{block}.record_stream({stream}) if n else None"),
        (None, f"n and {block}.record_stream({stream})"),
    ]


def fill(w, stream, block):
    ways = [(stream, text.format(block)) for text in (
        "{}.fill_(1)", "{}.zero_()", "{}.add_(1)", "{} += 1", "{}.mul_(2).add_(1)", "torch.add({0}, 1, out={0})",
        "{}[:] = 1", "{}.fill_(value=1)", "{}[2:].zero_()", "{} *= 2", "set_one({})")]
    return ways + [(None, f"set_one_on({block}, {stream})")]


def copy(w, stream, into, block):
    return [(stream, text.format(into, block)) for text in (
        "{}.copy_({})", "{}.copy_({}, non_blocking=True)", "{}.add_({})", "{} += {}", "{}[:] = {}",
        "torch.add({1}, 1, out={0})", "torch.mul({1}, 2, out={0})", "{}.mul_({})", "move({1}, {0})")]


def read(w, stream, block):
    ways = [(stream, text.format(block)) for text in (
        "{}.sum()", "torch.sum({})", "total = {}.mean()", "torch.cat([{0}, {0}])", "{} * 2", "host.copy_({}, non_blocking=True)",
        "look({})", "torch.stack(({0}, {0}))", "total = torch.add({}, 1)", "[t.exp() for t in [{}]]", "torch.cat([*({0},)])",
        "(lambda: {}.sum())()", "({} @ 1).sum()")]
    return ways + [(None, f"look_on({block}, {stream})")]


def mark(w, event, stream):
    ways = [(None, f"{event} = {stream}.record_event()")] * 3 + [
        (None, f"{event} = {w.cuda}.Event(); {event}.record({stream})"),
        (stream, f"{event} = {w.cuda}.Event(); {event}.record()"),
        (stream, f"{event} = {w.current}.record_event()"),
        (None, f"{event} = {stream}.record_event({w.cuda}.Event())"),
        (None, f"{event} = {w.cuda}.Event(enable_timing=False); {stream}.record_event({event})"),
        (None, f"{event} = marked({stream})"),
    ]
    if event.isidentifier():
        ways.append((None, f"({event} := {w.cuda}.Event()).record({stream})"))
    if w.is_made(event):
        ways += [(None, f"{event}.record({stream})"), (None, f"{stream}.record_event({event})"), (stream, f"{event}.record()"),
                 (None, f"{event}.record(stream={stream})")] * 3
    return ways


def wait(w, stream, event):
    return [(None, f"{stream}.wait_event({event})")] * 3 + [
        (None, f"{event}.wait({stream})"), (stream, f"{event}.wait()"), (stream, f"{w.current}.wait_event({event})"),
        (None, f"{event}.wait(stream={stream})"), (None, f"{stream}.wait_event(event={event})"),
        (None, f"order_after({stream}, {event})"), (None, f"[{stream}.wait_event(e) for e in [{event}]]"),
    ]


def join(w, stream, other):
    return [(None, f"{stream}.wait_stream({other})")] * 3 + [
        (stream, f"{w.current}.wait_stream({other})"), (other, f"{stream}.wait_stream({w.current})"),
        (None, f"{stream}.wait_event({other}.record_event())"), (None, f"{stream}.wait_stream(stream={other})"),
        (None, f"{other}.record_event().wait({stream})"), (None, f"follow({stream}, {other})"),
        (None, f"(lambda: {stream}.wait_stream({other}))()"),
    ]


def sync_event(w, event):
    return [(None, f"{event}.synchronize()")]


def sync_stream(w, stream):
    return [(None, f"{stream}.synchronize()"), (stream, f"{w.current}.synchronize()")]


def sync(w):
    return [(None, f"{w.cuda}.synchronize()")]


def view(w, name, block):
    return [(None, text.format(name, block)) for text in (
        "{} = {}[8:]", "{} = {}.view(-1)", "{} = {}.narrow(0, 8, 8)", "{} = {}.detach()", "{} = {}.data", "{} = {}.unsqueeze(0)",
        "{} = {}.view(-1)[4:]", "{} = part_of({})")]


def alias(w, name, block):
    ways = [(None, text.format(name, block)) for text in ("{} = {}", "{} = {}", "{} = ({})", "{} = [{}][0]", "{} = same({})",
                                                         "{} = {} if n else None", "{}, _ = {}, 0")]
    return ways + ([(None, f"({name} := {block})")] if name.isidentifier() else [])


OPERATIONS = {f.__name__: f for f in (alloc, record, fill, copy, read, mark, wait, join, sync_event, sync_stream, sync, view, alias)}

HEAD = '''# Generated by tests/oracle.
import types

import torch
import torch.cuda as tc
from torch import cuda


def make(n):
    return torch.empty(n, device="cuda")


def make_on(n, stream):
    with torch.cuda.stream(stream):
        return torch.empty(n, device="cuda")


def keep_for(t, stream):
    t.record_stream(stream)


def keep_all(tensors, stream):
    for t in tensors:
        t.record_stream(stream)


def set_one(t):
    t.fill_(1)


def set_one_on(t, stream):
    with torch.cuda.stream(stream):
        t.fill_(1)


def move(source, target):
    target.copy_(source)


def look(t):
    return t.sum()


def look_on(t, stream=None):
    with torch.cuda.stream(stream):
        return t.sum()


def marked(stream):
    event = torch.cuda.Event()
    event.record(stream)
    return event


def order_after(stream, event):
    stream.wait_event(event)


def follow(stream, other):
    stream.wait_stream(other)


def part_of(t):
    return t[8:]


def same(t):
    return t


'''
