"""What a program does on each of its paths, step by step: who else holds a block where it is released.

C frees a block, and other names of it dangle. In Python a block lives as long as a name holds it,
so a release has to drop all of them: `Plan.drops` says which, by statement.
"""
from collections import defaultdict
from dataclasses import replace

from program import COUNT_BITS, FLAGS, SIMPLE, USES, _Path, flag_values


def apart(program):
    """The same program, every statement an object of its own."""
    def body(statements):
        return tuple(replace(s, body=body(s.body), other=body(s.other)) for s in statements)
    helpers = tuple(replace(h, body=body(h.body)) for h in program.helpers)
    return replace(program, helpers=helpers, body=body(program.body))


def flags_of(value):
    flags = {f"flag{i}": bool(value >> i & 1) for i in range(FLAGS)}
    flags["count"] = value >> COUNT_BITS[0] & 3
    return flags


class Walk(_Path):
    """A path that writes down its steps, like the stand-in for PyTorch does for the Python text."""

    def __init__(self, program, flags, plan):
        super().__init__(program, flags)
        self.plan, self.steps, self.events, self.stack = plan, [], 0, []

    def stream(self, name, env):
        return env.get("stream " + name, name)

    def event(self, name, env):
        return env["event " + self.key(name, env)] - 1

    def simple(self, s, env):
        if s.kind == "free":
            self.release(s, env)
        elif s.kind == "mark":
            self.events += 1
            env["event " + self.key(s.names[0], env)] = self.events
            self.steps.append(("mark", self.events - 1, self.stream(s.names[1], env)))
            return
        super().simple(s, env)
        at = [self.operand(role, name, env) for role, name in zip(SIMPLE[s.kind][0], s.names)]
        if s.kind == "alloc":
            self.steps.append(("alloc", self.made - 1, at[1]))
        elif s.kind in USES + ("record", "wait", "join", "sync_event", "sync_stream", "sync"):
            self.steps.append((s.kind, *at))

    def operand(self, role, name, env):
        if role == "b":
            return (env.get(self.key(name, env)) or 0) - 1
        if role == "s":
            return self.stream(name, env)
        return self.event(name, env) if role == "e" else None

    def release(self, s, env):
        block = env.get(self.key(s.names[0], env))
        self.plan.visit(s, block if block in self.live else None, [*self.stack, env], self)
        if block in self.live:
            self.steps.append(("free", block - 1))

    def call(self, s, env):
        helper = self.helpers.get(s.names[0])
        given = dict(zip((name for _, name in helper.params), s.names[2:])) if helper else {}
        self.plan.calls[s.names[0]].append((s, given))
        self.stack.append(env)
        self.given = given
        try:
            super().call(s, env)
        finally:
            self.stack.pop()

    def block(self, body, env):
        # The parent binds blocks and that events are recorded; streams, and which event, are bound here.
        given, self.given = getattr(self, "given", None), None
        if given is not None and self.stack:
            outer = self.stack[-1]
            for inner, name in given.items():
                env["stream " + inner] = self.stream(name, outer)
                if "event " + self.key(name, outer) in outer:
                    env["event " + inner] = outer["event " + self.key(name, outer)]
        super().block(body, env)


class Plan:
    def __init__(self, program):
        self.program = program
        self.drops = defaultdict(set)      # id of a free -> {(how many callers up, name)}, but for its own
        self.spared = defaultdict(set)     # likewise, names that hold another live block there
        self.unset = set()                 # ids of frees that also run when there is nothing to free
        self.calls = defaultdict(list)     # helper -> [(call, {param: given})]
        self.steps = {}                    # value of the flags -> the steps
        for value in flag_values(program):
            path = Walk(program, flags_of(value), self)
            path.main(program.body)
            self.steps[value] = path.steps

    def visit(self, s, block, envs, path):
        if block is None:
            self.unset.add(id(s))
        for up, env in enumerate(reversed(envs)):
            for name, held in env.items():
                if not isinstance(held, int) or isinstance(held, bool) or name.startswith(("event ", "stream ")) or len(name) == 1:
                    continue
                if up == 0 and name == path.key(s.names[0], env):
                    continue  # the name that the statement spells
                if held == block and block is not None:
                    self.drops[id(s)].add((up, name))
                elif held in path.live:
                    self.spared[id(s)].add((up, name))

    def can_drop(self, s):
        """Whether dropping the same names on every path releases this block, and no other."""
        return not self.drops[id(s)] & self.spared[id(s)]

    def leaked(self):
        """Numbers of the blocks that some path leaves alive, by value of the flags."""
        for value, steps in self.steps.items():
            made = {s[1] for s in steps if s[0] == "alloc"}
            yield value, made - {s[1] for s in steps if s[0] == "free"}
