"""A program of the model as Python source. The seed chooses among the spellings; the text is run with the
stand-in for PyTorch, and must take the steps of the model (plan.py)."""
import random
import re
from collections import Counter

from plan import Plan, apart, flags_of
from program import FLAGS, SIMPLE, Invalid, flag_values, walk
from spell import HEAD, OPERATIONS

ATTEMPTS = 6


class Function:
    """Where the text is being written: what a name of the model is called there."""

    def __init__(self, name, rename=None, shared=False):
        self.name, self.rename, self.shared = name, rename or {}, shared
        self.assigned, self.outer, self.static = set(), set(self.rename.values()), False


class Writer:
    def __init__(self, program, plan, seed, careful=False):
        self.program, self.plan, self.careful = program, plan, careful
        self.random = random.Random(seed)
        self.cuda = self.random.choice(("torch.cuda", "torch.cuda", "cuda", "tc"))
        self.current = f"{self.cuda}.current_stream()"
        self.lines, self.first, self.at = [], 0, {}
        self.sets = self.chance(0.2)       # set_stream without a way back
        self.contexts = self.chance(0.15)  # `with stream:`
        self.dels = not careful
        self.style = self.random.choice(("function", "function", "function", "method", "fields"))
        self.streams = self.random.choice(("names", "names", "list", "unpacked", "current"))
        self.structure = self.random.choice(("object", "dict", "namespace"))
        self.arrays = self.random.choice(("list", "dict"))
        self.loops, self.events = 0, set()

    def chance(self, p):
        return self.random.random() < p

    def put(self, depth, text, statement=None):
        self.lines.append("    " * depth + text)
        line = self.first + len(self.lines) - 1
        if statement is not None:
            self.at[id(statement)] = line
        return line

    # ---- names ----

    def ref(self, name, f):
        if name in f.rename:
            return f.rename[name]
        if re.fullmatch(r"s\d+", name):
            return f"streams[{name[1:]}]" if self.streams == "list" else name
        owner = "self." if self.style == "fields" and f is self.main and re.match(r"[xvawl]", name) else ""
        member = re.fullmatch(r"(w\d+)\.(\w+)", name)
        if member and self.structure == "dict":
            return f'{owner}{member[1]}["{member[2]}"]'
        return owner + name

    def is_made(self, event):
        """Whether the event is an object already, on every path: then it may be recorded again."""
        return event in self.events

    # ---- functions ----

    def shareable(self, helper):
        """Its blocks under the names of the program, if each call gives the same; or None."""
        calls = self.plan.calls[helper.name]
        blocks = [name for kind, name in helper.params if kind == "block"]
        given = {tuple(g[b] for b in blocks) for _, g in calls}
        inside = {id(s) for s in walk(self.program.body)}
        if len(given) != 1 or not all(id(call) in inside for call, _ in calls):
            return None
        names = dict(zip(blocks, given.pop()))
        return None if any(re.search(r"\[[a-z]\]", n) for n in names.values()) else names

    def function_of(self, helper):
        frees = [s for s in walk(helper.body) if s.kind == "free"]
        needs = any(up for s in frees for up, _ in self.plan.drops[id(s)])
        names = self.shareable(helper)
        if names is not None and (needs or self.chance(0.3)) and self.style != "method":
            return Function(helper.name, {b: self.ref(n, self.main) for b, n in names.items()}, shared=True)
        return Function(helper.name)

    def write(self, first):
        self.first = first
        self.main = Function(self.program.name)
        self.functions = {h.name: self.function_of(h) for h in self.program.helpers}
        depth = 0
        if self.structure == "object" and "." in " ".join(n for s in walk(self.program.body) for n in s.names):
            self.put(0, f"class Work_{self.number()}:")
            self.put(1, "block = None")
            self.put(1, "done = None")
            self.gap(2)
        if self.style != "function":
            self.put(0, f"class Case_{self.number()}:")
            depth = 1
        for h in self.program.helpers:
            if not self.is_nested(h):
                self.write_helper(h, depth)
                self.gap(1 if depth else 2)
        params = ", ".join(["self"] * (depth > 0) + ["n"] + [f"flag{i}" for i in range(FLAGS)] + ["count"])
        self.put(depth, f"def {self.program.name}({params}):")
        self.write_main(depth + 1)
        self.gap(2)
        return self.lines

    def number(self):
        return self.program.name.split("_")[1]

    def gap(self, lines):
        self.lines.extend([""] * lines)

    def is_nested(self, helper):
        return self.style == "function" and self.functions[helper.name].shared

    def write_helper(self, helper, depth):
        f = self.functions[helper.name]
        method = self.style != "function"
        params = [name for kind, name in helper.params if not (f.shared and kind == "block")]
        if not self.is_nested(helper):
            params.insert(0, "n")
        f.static = method and not f.shared and self.chance(0.3)
        if f.static:
            self.put(depth, "@staticmethod")
        if method and not f.static:
            params.insert(0, "self")
        self.put(depth, f"def {helper.name}({', '.join(params)}):")
        start = len(self.lines)
        self.structures(helper.body, depth + 1, f, {name for _, name in helper.params})
        self.body(helper.body, depth + 1, f, None)
        if helper.returns:
            self.put(depth + 1, f"return {self.ref(helper.returns, f)}")
        elif len(self.lines) == start or self.chance(0.3):
            self.put(depth + 1, "return")
        if self.is_nested(helper):
            names = sorted(n for n in f.assigned if n in f.outer and n.isidentifier())
            if names:
                self.insert(start, depth + 1, f"nonlocal {', '.join(names)}")

    def insert(self, at, depth, text):
        self.lines.insert(at, "    " * depth + text)
        self.at = {s: line + (line >= self.first + at) for s, line in self.at.items()}

    def write_main(self, depth):
        start = len(self.lines)
        self.make_streams(depth)
        if any(s.kind == "read" for s in walk(self.program.body)) or self.program.helpers:
            self.put(depth, "host = torch.empty(n, pin_memory=True)")
        self.structures(self.program.body, depth, self.main, set())
        for h in self.program.helpers:
            if self.is_nested(h):
                self.write_helper(h, depth)
        self.body(self.program.body, depth, self.main, "s0" if self.streams == "current" else None)
        if len(self.lines) == start or self.chance(0.3):
            self.put(depth, "return")

    def make_streams(self, depth):
        count, new = self.program.streams, f"{self.cuda}.Stream()"
        if self.streams == "list":
            self.put(depth, f"streams = [{new} for _ in range({count})]")
        elif self.streams == "unpacked":
            self.put(depth, f"{', '.join(f's{i}' for i in range(count))} = {', '.join([new] * count)}")
        else:
            for i in range(count):
                self.put(depth, f"s{i} = {self.current if self.streams == 'current' and i == 0 else new}")

    def structures(self, body, depth, f, params):
        """Containers, and names that some path reads before it gives them anything."""
        arrays, objects, plain = {}, set(), set()
        for s in walk(body):
            names = s.names if s.kind in SIMPLE else s.names[1:2] if s.kind == "call" else ()
            for name in names:
                element = re.fullmatch(r"(a\d+)\[(\w+)\]", name)
                if element and element[1] not in params:
                    arrays[element[1]] = max(arrays.get(element[1], 2), int(element[2]) + 1 if element[2].isdigit() else 0)
                elif re.match(r"w\d+\.", name):
                    objects.add(name.split(".")[0])
                elif re.match(r"[xvl]", name) and name not in params:
                    plain.add(name)
        for name, size in sorted(arrays.items()):
            self.put(depth, f"{self.ref(name, f)} = " + ("{}" if self.arrays == "dict" and not self.careful else f"[None] * {size}"))
        for name in sorted(objects):
            new = {"object": f"Work_{self.number()}()", "dict": '{"block": None, "done": None}',
                   "namespace": "types.SimpleNamespace(block=None, done=None)"}[self.structure]
            self.put(depth, f"{self.ref(name, f)} = {new}")
        if f is self.main:
            wanted = plain if self.careful else {n for n in plain if n.startswith("last") or self.chance(0.1)}
            for name in sorted(wanted):
                self.put(depth, f"{self.ref(name, f)} = None")

    # ---- statements ----

    def body(self, body, depth, f, cur):
        """Writes the statements; returns the stream that is current behind them, None when it is not known."""
        label = next((i for i, s in enumerate(body) if s.kind == "label"), None)
        if label is not None:
            return self.jump_over(body, label, depth, f, cur)
        start, i = len(self.lines), 0
        while i < len(body):
            i, cur = self.one(body, i, depth, f, cur)
        if len(self.lines) == start:
            self.put(depth, "pass")
        return cur

    def jump_over(self, body, label, depth, f, cur):
        """What goto leaves out, by a way that Python has."""
        before, after, kept = body[:label], body[label + 1:], set(self.events)
        kinds = {s.kind for s in walk(before)}
        ways = ["raise", "raise"]
        if "return" not in kinds:
            ways.append("finally")
        if not any(s.kind == "loop" and any(t.kind == "goto" for t in walk(s.body)) for s in walk(before)):
            ways.append("turn")
        self.goto = self.random.choice(ways)
        head = {"raise": "try:", "finally": "try:", "turn": self.random.choice(("while True:", "for _ in range(1):"))}
        self.put(depth, head[self.goto])
        self.body(before, depth + 1, f, cur)
        self.events = kept
        if self.goto == "raise":
            self.put(depth, "except KeyError:")
            self.put(depth + 1, "pass")
            return self.body(after, depth, f, None)
        if self.goto == "turn":
            self.put(depth + 1, "break")
            return self.body(after, depth, f, None)
        self.put(depth, "finally:")
        return self.body(after, depth + 1, f, None)

    def one(self, body, i, depth, f, cur):
        """Writes statement i, perhaps with those behind it in one context; returns the next one and the current stream."""
        s = body[i]
        if s.kind == "free":
            self.release(s, depth, f)
        elif s.kind in OPERATIONS:
            return self.operation(body, i, depth, f, cur)
        elif s.kind == "call":
            self.call(s, depth, f)
            return i + 1, None if self.sets else cur
        elif s.kind == "if":
            self.branch(s, depth, f, cur)
            return i + 1, None if self.sets else cur
        elif s.kind == "loop":
            self.loop(s, depth, f, None if self.sets else cur)
            return i + 1, None if self.sets else cur
        elif s.kind == "goto":
            self.put(depth, {"raise": "raise KeyError", "finally": "return", "turn": "break"}[self.goto], s)
        else:
            self.put(depth, s.kind, s)
        return i + 1, cur

    def spelled(self, s, f, cur):
        names = [self.ref(n, f) for n in s.names]
        ways = OPERATIONS[s.kind](self, *names)
        if f is not self.main:
            ways = [w for w in ways if "host." not in w[1]]
        now = None if cur is None else self.ref(cur, f)
        ready = [w for w in ways if w[0] is None or w[0] == now]
        need, text = self.random.choice(ready if ready and self.chance(0.5) else ways)
        if s.kind == "mark" and f is self.main and self.loops == 0:
            self.events.add(names[0])
        if " += " in text or " *= " in text:
            f.assigned.add(names[1])
        back = {self.ref(n, f): n for n in s.names}
        return None if need is None else back[need], text

    def operation(self, body, i, depth, f, cur):
        s = body[i]
        need, text = self.spelled(s, f, cur)
        if need is None or need == cur:
            self.put(depth, text, s)
            return i + 1, cur
        stream = self.ref(need, f)
        if self.sets and self.chance(0.5):
            self.put(depth, f"{self.cuda}.set_stream({stream})")
            self.put(depth, text, s)
            return i + 1, need
        end = i + 1
        while end < len(body) and self.chance(0.5):
            end += 1
        return self.inside(body, i, end, (text, need), depth, f), cur

    def inside(self, body, i, end, first, depth, f):
        """Statements i to end with a stream as the current one."""
        text, need = first
        stream = self.ref(need, f)
        context = stream if self.contexts else self.random.choice((f"{self.cuda}.stream({stream})",) * 4 + (
            f"{self.cuda}.StreamContext({stream})",))
        if self.chance(0.1):
            context = f"torch.no_grad(), {context}"
        way = "try" if self.chance(0.1) else "with"
        if way == "try":
            before = f"before_{len(self.lines)}"
            self.put(depth, f"{before} = {self.current}")
            self.put(depth, f"{self.cuda}.set_stream({stream})")
            self.put(depth, "try:")
        else:
            self.put(depth, f"with {context}:")
        self.put(depth + 1, text, body[i])
        now, at = need, i + 1
        while at < end:
            at, now = self.one(body[:end], at, depth + 1, f, now)
        if way == "try":
            self.put(depth, "finally:")
            self.put(depth + 1, f"{self.cuda}.set_stream({before})")
        return end

    # ---- compound statements ----

    def condition(self, text):
        return text.replace("!", "not ").replace("&&", "and").replace("||", "or")

    def branch(self, s, depth, f, cur):
        condition = self.condition(s.names[0])
        kept = set(self.events)
        if self.chance(0.1) and s.body:
            self.put(depth, f"match bool({condition}):" if " " in condition else f"match {condition}:", s)
            self.put(depth + 1, "case True:")
            self.body(s.body, depth + 2, f, cur)
            self.events = set(kept)
            if s.other:
                self.put(depth + 1, "case _:")
                self.body(s.other, depth + 2, f, cur)
        else:
            self.put(depth, f"if {condition}:", s)
            self.body(s.body, depth + 1, f, cur)
            self.events = set(kept)
            if s.other:
                self.put(depth, "else:")
                self.body(s.other, depth + 1, f, cur)
        self.events = kept

    def loop(self, s, depth, f, cur):
        name, times = s.names
        jumps = any(t.kind == "continue" for t in walk(s.body))
        way = self.random.choice(("range", "range", "range", "enumerate", "while"))
        used = any(re.search(rf"\[{name}\]", n) for t in walk(s.body) for n in t.names)
        again = any(t.kind == "loop" and t.names[0] == name for t in walk(s.body))
        if way == "while" and not jumps and not again:
            self.put(depth, f"{name} = 0")
            self.put(depth, f"while {name} < {times}:", s)
        elif way == "enumerate" and times != "count":
            self.put(depth, f"for {name}, _ in enumerate({'ab' if times == '2' else 'abc'!r}):", s)
        else:
            way = "range"
            self.put(depth, f"for {name if used or self.chance(0.5) else '_'} in range({times}):", s)
        kept = set(self.events)
        self.loops += 1
        self.body(s.body, depth + 1, f, cur)
        if way == "while":
            self.put(depth + 1, f"{name} += 1")
        self.loops -= 1
        self.events = kept

    def call(self, s, depth, f):
        helper = next(h for h in self.program.helpers if h.name == s.names[0])
        g = self.functions[helper.name]
        given = [(kind, name, self.ref(n, f)) for (kind, name), n in zip(helper.params, s.names[2:])]
        if g.shared:
            given = [x for x in given if x[0] != "block"]
        arguments = [text for _, _, text in given]
        if len(given) > 1 and self.chance(0.25):
            cut = self.random.randrange(len(given))
            named = [f"{name}={text}" for _, name, text in given[cut:]]
            self.random.shuffle(named)
            arguments = arguments[:cut] + named
        if not self.is_nested(helper):
            arguments.insert(0, "n")
        owner = "" if self.style == "function" else f"Case_{self.number()}." if g.static and self.chance(0.5) else "self."
        if owner == "self." and f.static:
            if not g.static:
                raise Invalid("a static method has no self")
            owner = f"Case_{self.number()}."
        result = f"{self.ref(s.names[1], f)} = " if s.names[1] else ""
        self.put(depth, f"{result}{owner}{helper.name}({', '.join(arguments)})", s)

    # ---- releases ----

    def release(self, s, depth, f):
        own = self.ref(s.names[0], f)
        others = []
        for up, name in sorted(self.plan.drops[id(s)]):
            if up == 0:
                others.append(self.ref(name, f))
            elif up == 1 and f.shared:
                others.append(self.ref(name, self.main))
                f.outer.add(others[-1])
            else:
                others = None
                break
        if others is None or not self.plan.can_drop(s) or self.chance(0.06):
            self.resize(s, own, depth, f)
            return
        names = list(dict.fromkeys([own] + others))
        self.random.shuffle(names)
        f.assigned.update(names)
        if self.dels and id(s) not in self.plan.unset and self.chance(0.5):
            gone = [n for n in names if not self.is_list_element(n)]
            for n in names:
                if n not in gone:
                    self.put(depth, f"{n} = None", s)
            if gone:
                self.put(depth, self.deletion(gone), s)
        elif self.chance(0.5):
            self.put(depth, " = ".join(names) + " = None", s)
        else:
            for n in names:
                self.put(depth, f"{n} = None", s)

    def is_list_element(self, name):
        return name.endswith("]") and re.match(r"(self\.)?a", name) is not None and self.arrays == "list"

    def deletion(self, names):
        element = re.fullmatch(r"((?:self\.)?a\d+)\[(\w+)\]", names[0])
        if len(names) == 1 and element and self.chance(0.5):
            return f"{element[1]}.pop({element[2]})"
        return f"del {', '.join(names)}"

    def resize(self, s, own, depth, f):
        text = f"{own}.untyped_storage().resize_(0)"
        if id(s) in self.plan.unset:
            self.put(depth, f"if {own} is not None:")
            self.put(depth + 1, text, s)
        else:
            self.put(depth, text, s)


# ---- the text against the model ------------------------------------------------------------------


class Unwritten(Exception):
    """No text was found that takes the steps of the model."""


def start_of(program, style, value):
    flags = flags_of(value)

    def start(names):
        arguments = (16, *(flags[f"flag{i}"] for i in range(FLAGS)), flags["count"])
        if style == "function":
            return names[program.name](*arguments)
        case = names[f"Case_{program.name.split('_')[1]}"]()
        return case, getattr(case, program.name)(*arguments)
    return start


def steps_of(recorder, streams):
    """The recorder's steps in the words of the model, those that no statement spells aside."""
    numbers = {slot: f"s{i}" for i, slot in enumerate(streams)}
    where = {"alloc": (1,), "record": (1,), "fill": (0,), "copy": (0,), "read": (0,), "mark": (1,), "wait": (0,), "join": (0, 1),
             "sync_stream": (0,)}
    for name, _, _, operands in recorder.steps:
        if name != "stream":
            yield (name, *(numbers[o] if at in where.get(name, ()) else o for at, o in enumerate(operands)))


def model_streams(program, writer):
    """Numbers that the stand-in gives to the streams of the program; 0 is the one it starts with."""
    return range(program.streams) if writer.streams == "current" else range(1, program.streams + 1)


def essence(steps):
    """What matters of the steps: a wait for an event that only this wait is for is a join; a stream that waits for
    itself, and the same fill twice in a row, change nothing; events are numbered in the order of what is left."""
    steps, waits = list(steps), Counter(s[2] for s in steps if s[0] == "wait")
    waits.update(s[1] for s in steps if s[0] == "sync_event")
    out, numbers = [], {}
    for i, s in enumerate(steps):
        if s[0] == "mark" and waits[s[1]] == 1 and i + 1 < len(steps) and steps[i + 1][0] == "wait" and steps[i + 1][2] == s[1]:
            continue
        if s[0] == "mark":
            s = ("mark", numbers.setdefault(s[1], len(numbers)), s[2])
        elif s[0] == "wait" and s[2] in numbers:
            s = ("wait", s[1], numbers[s[2]])
        elif s[0] == "wait":
            s = ("join", s[1], steps[i - 1][2])
        elif s[0] == "sync_event":
            s = ("sync_event", numbers[s[1]])
        if not (s[0] == "join" and s[1] == s[2]) and not (s[0] == "fill" and out[-1:] == [s]):
            out.append(s)
    return out


def takes_the_steps(source, program, plan, writer):
    """Whether each path does what the model does; what the model leaves alive may end with the function."""
    for value in flag_values(program):
        recorder = source.run(start_of(program, writer.style, value))
        expected = plan.steps[value]
        freed = {s[1] for s in expected if s[0] == "free"}
        got = [s for s in steps_of(recorder, model_streams(program, writer)) if s[0] != "free" or s[1] in freed]
        if essence(got) != essence(expected):
            return False
    return True


def write_program(program, seed, source_type):
    """(writer with its seed, plan) of a text that is right; tries several."""
    program = apart(program)
    plan = Plan(program)
    trouble = None
    for attempt in range(ATTEMPTS):
        careful = attempt >= ATTEMPTS // 2
        make = lambda: Writer(program, plan, f"{seed}/{program.name}/{attempt}", careful)
        try:
            writer = make()
            lines = writer.write(HEAD.count("\n") + 1)
            if takes_the_steps(source_type(HEAD + "\n".join(lines) + "\n"), program, plan, writer):
                return make, plan
            trouble = "other steps"
        except (NameError, AttributeError, TypeError, KeyError, AssertionError, Invalid) as error:
            trouble = repr(error)
    raise Unwritten(f"{program.name}: {trouble}")
