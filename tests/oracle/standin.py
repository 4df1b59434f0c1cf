"""A stand-in for PyTorch that writes down what a Python source does to blocks, streams and events.

CPython itself decides when a reference dies, so the release points are Python's own. A step is
(name, line, line of the outermost call or 0, operands): what replay.c plays on the simulated device.
"""
import ast
import sys
import threading
import types


class Recorder:
    """The steps of one run of one function of the source `path`."""

    def __init__(self, path, ends):
        self.path, self.ends = path, ends
        self.steps, self.made = [], {"stream": 0, "block": 0, "event": 0}
        self.returning = {}  # by frame: the return statement that was reached last
        self.left = None  # the call that ended last: (where it ended, caller's code, caller's line)
        self.implicit = set()  # numbers of steps: a release that no statement spells
        self.current = None
        self.open = True

    def number(self, kind):
        self.made[kind] += 1
        return self.made[kind] - 1

    def frames(self):
        frame, found = sys._getframe(1), []
        while frame is not None:
            inside = frame.f_code.co_filename == self.path and frame.f_lineno > self.ends.head
            if inside and not frame.f_code.co_name.startswith("<listcomp"):
                found.append(frame)
            frame = frame.f_back
        return found

    def step(self, name, *operands):
        if not self.open:
            return
        frames = self.frames()
        line = frames[0].f_lineno if frames else 0
        call = frames[-1].f_lineno if len(frames) > 1 else 0
        if name == "free" and self.left is not None:
            end, code, at = self.left
            if not frames or (frames[0].f_code is code and frames[0].f_lineno == at):
                line, call = end, frames[-1].f_lineno if frames else 0
                self.implicit.add(len(self.steps))
        self.steps.append((name, line, call, operands))

    def trace(self, frame, event, _):
        """A finally block that runs on the way out hides which return it was."""
        code = frame.f_code
        if code.co_filename != self.path or (code.co_name, code.co_firstlineno) not in self.ends.hidden:
            return None
        if event == "call":
            self.returning.pop(id(frame), None)
        elif event == "line" and frame.f_lineno in self.ends.returns:
            self.returning[id(frame)] = frame.f_lineno
        return self.trace

    def profile(self, frame, event, _):
        if frame.f_code.co_filename != self.path:
            return
        if event == "call":
            self.left = None
        elif event == "return":
            caller = frame.f_back
            while caller is not None and caller.f_code.co_filename != self.path:
                caller = caller.f_back
            end = self.ends.place(frame.f_code, self.returning.pop(id(frame), frame.f_lineno))
            self.left = (end, caller.f_code, caller.f_lineno) if caller else (end, None, 0)


class Ends:
    """Where functions end: at the return statement, or behind the last statement."""

    def __init__(self, text, head):
        self.head = head  # lines that all programs share: what they do is done at the call
        self.returns, self.last, self.hidden = set(), {}, set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([node.lineno] + [d.lineno for d in node.decorator_list])
                self.last[node.name, first] = node.end_lineno
                if any(isinstance(n, ast.Try) and n.finalbody for n in ast.walk(node)):
                    self.hidden.add((node.name, first))
            elif isinstance(node, ast.Return):
                self.returns.add(node.lineno)

    def place(self, code, line):
        return line if line in self.returns else self.last.get((code.co_name, code.co_firstlineno), line)


run = None  # the Recorder at work
alone = threading.Lock()  # there is one


class Storage:
    def __init__(self):
        self.block, self.run = run.number("block"), run
        self.freed = False
        run.step("alloc", self.block, run.current.slot)

    def release(self):
        if not self.freed:
            self.freed = True
            self.run.step("free", self.block)

    def resize_(self, size):
        assert size == 0
        self.release()

    def __del__(self):
        self.release()


def storage_of(thing):
    return thing.storage if isinstance(thing, Tensor) else None


def used(written, *read):
    """Work on the current stream: writes one block or none, reads others."""
    stream = run.current.slot
    read = [storage_of(t) for t in read]
    read = [s for s in read if s is not None and s is not storage_of(written)]
    into = storage_of(written)
    if into is not None and read:
        run.step("copy", stream, into.block, read[0].block)
        assert len(read) == 1
    elif into is not None:
        run.step("fill", stream, into.block)
    else:
        for s in dict.fromkeys(read):
            run.step("read", stream, s.block)


class Tensor:
    """`storage` is None for results that nobody watches, and for memory of the host."""

    def __init__(self, storage):
        self.storage = storage

    def share(self, *_, **__):
        return Tensor(self.storage)

    view = narrow = detach = unsqueeze = expand = view_as = transpose = squeeze = share
    __getitem__ = share
    data = T = property(share)

    def chunk(self, parts):
        return tuple(Tensor(self.storage) for _ in range(parts))

    split = chunk

    def inplace(self, *others, **_):
        used(self, *others)
        return self

    fill_ = zero_ = add_ = mul_ = copy_ = normal_ = clamp_ = inplace
    __iadd__ = __imul__ = inplace

    def __setitem__(self, _, value):
        used(self, value)

    def result(self, *others, **_):
        used(None, self, *others)
        return Tensor(None)

    sum = mean = exp = clone = max = abs = result
    __add__ = __mul__ = __matmul__ = __neg__ = result

    def untyped_storage(self):
        return self.storage

    def record_stream(self, stream):
        run.step("record", self.storage.block, stream.slot)


class Event:
    def __init__(self, **_):
        self.slot = None

    def record(self, stream=None):
        self.slot = run.number("event")
        run.step("mark", self.slot, (stream or run.current).slot)

    def wait(self, stream=None):
        (stream or run.current).wait_event(self)

    def synchronize(self):
        if self.slot is not None:
            run.step("sync_event", self.slot)


class Stream:
    """Also a context, as in newer versions of PyTorch."""

    def __init__(self, slot=None, **_):
        self.slot, self.before = slot, []
        if slot is None:
            self.slot = run.number("stream")
            run.step("stream", self.slot)

    def wait_stream(self, stream):
        if stream.slot != self.slot:
            run.step("join", self.slot, stream.slot)

    def wait_event(self, event):
        if event.slot is not None:
            run.step("wait", self.slot, event.slot)

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def synchronize(self):
        run.step("sync_stream", self.slot)

    def __enter__(self):
        self.before.append(run.current)
        run.current = self
        return self

    def __exit__(self, *_):
        run.current = self.before.pop()


class StreamContext:
    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        self.before = run.current
        if self.stream is not None:
            run.current = self.stream

    def __exit__(self, *_):
        run.current = self.before


class no_grad:
    def __enter__(self):
        return None

    def __exit__(self, *_):
        return None


def set_stream(stream):
    run.current = stream


def empty(*_, device=None, pin_memory=False, **__):
    return Tensor(None if pin_memory else Storage())


def reads(*tensors, out=None, **_):
    flat = []
    for t in tensors:
        flat.extend(t if isinstance(t, (list, tuple)) else [t])
    used(out, *flat)
    return Tensor(None) if out is None else out


def modules():
    """torch and torch.cuda, as entries of sys.modules."""
    torch, cuda = types.ModuleType("torch"), types.ModuleType("torch.cuda")
    cuda.Stream, cuda.Event, cuda.stream, cuda.StreamContext = Stream, Event, StreamContext, StreamContext
    cuda.set_stream = set_stream
    cuda.current_stream = lambda device=None: Stream(run.current.slot)
    cuda.synchronize = lambda device=None: run.step("sync")
    torch.cuda, torch.Tensor, torch.no_grad, torch.inference_mode = cuda, Tensor, no_grad, no_grad
    torch.Stream, torch.Event = Stream, Event
    for name in ("empty", "zeros", "ones", "full", "rand", "randn"):
        setattr(torch, name, empty)
    for name in ("sum", "mean", "add", "mul", "cat", "stack", "exp", "clone", "abs"):
        setattr(torch, name, reads)
    torch.float32 = "float32"
    aten = types.SimpleNamespace(record_stream=Tensor.record_stream)
    torch.ops = types.SimpleNamespace(aten=aten)
    return {"torch": torch, "torch.cuda": cuda}


class Source:
    """A Python text whose functions can be run."""

    def __init__(self, text, head=0, path="case.py"):
        self.path, self.ends, self.names = path, Ends(text, head), {"__name__": "case"}
        with alone:
            self.load(compile(text, path, "exec"))

    def load(self, code):
        before = {name: sys.modules.pop(name, None) for name in modules()}
        sys.modules.update(modules())
        try:
            exec(code, self.names)
        finally:
            for name, module in before.items():
                del sys.modules[name]
                if module is not None:
                    sys.modules[name] = module

    def run(self, start):
        """The Recorder of start(names of the text)."""
        with alone:
            return self.run_alone(start)

    def run_alone(self, start):
        global run
        run = recorder = Recorder(self.path, self.ends)
        run.current = Stream()
        sys.setprofile(recorder.profile)
        sys.settrace(recorder.trace if self.ends.hidden else None)
        try:
            kept = start(self.names)
        finally:
            sys.settrace(None)
            sys.setprofile(None)
            recorder.open = False
        del kept
        return recorder
