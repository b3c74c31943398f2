/** Each line sets something that cannot be so. */
export const wrongSettings = `
lockafter = "10m"
colour = "rde"
password = "hunter22"
production = true
short = "w"
keys = 7
notify = 7
theme = "grey"
maxRequestsPerMinute = 1.5
confirm.start = 7
confirm.stop = 7
profiles.work = 7
profiles.lab.url = "http://api.example.com/v1"
profiles.lab.description = """
url = 3
"""
profiles.lab.readOnly = "yes"
profiles.lab.confirm = { start = "never", delete = "off" }
profiles.lab.notify = { creditsLow = "Bell", creditsLeft = "soon" }
profiles.lab.keys.stop = ["x", "hyper-x"]
profiles.lab.password = "hunter22"
profiles.lab.token = "hunter22"
profiles.lab.maxRequestsPerMinute = 3
profiles.lab.theme = { bad = "rde", error = "red" }
profiles.light.theme.good = "#00ff00"
profiles.dark.theme = { background = "dark", bad = "#200000" }
profiles.p1.passwordCommand = "pass show fleet"
profiles.p2.passwordCommand = []
profiles.p3.passwordCommand = [""]
profiles.p4.passwordCommand = ["pass", 3]
profiles.p5.passwordCommand = ["pass\\u0000"]
profiles.p6.passwordCommand = { shell = "" }
profiles.p7.passwordCommand = { sh = "x" }
profiles.u1.url = "http://127.0.0.1.example.com/v1"
profiles.u2.url = "http://localhost.example.com/v1"
profiles.u3.url = "ftp://localhost/v1"
profiles.u4.url = "file:///v1"
profiles.u5.url = "api.example.com/v1"
profiles.u6.url = ""
profiles.u7.url = "https://api.example.com"
profiles.u8.url = "https://api.example.com/v2"
profiles.u9.url = "https://api.example.com/v1?key=hunter22"
profiles.u10.url = "https://api.example.com/v1#hunter22"
profiles.u11.url = "https://someone:hunter22@api.example.com/v1"
profiles.s1.short = "ninechars"
profiles.s2.short = "a b"
profiles.s3.short = "a/b"
profiles.s4.short = "a,b"
profiles.s5.short = ""
profiles.s6.short = 3
`;

/** Names of profiles, of which only the last two can be used. */
export const wrongNames = `
profiles.same.short = "x"
profiles.alike.short = "x"
profiles.x.short = "x"
profiles."../../evil" = {}
profiles.".hidden" = {}
profiles."a b" = {}
profiles.environment = {}
profiles."" = {}
profiles."${'a'.repeat(65)}" = {}
profiles."a\\u001b[2J" = {}
profiles.lab.short = "lab"
profiles."Work_2.eu-west" = {}
`;

/** Each line is a hook or a command that cannot run. */
export const wrongCommands = `
hooks = [
	{ on = ["computerFaild"], command = ["one"] },
	{ on = "stateChanged", to = ["stoped"], command = "two" },
	{ on = ["creditsLow"], from = ["active"], command = ["three"] },
	{ on = ["accountDown"] },
]
[commands]
inside.command = ["echo", "x{name}"]
first.command = ["{name}"]
text.command = "echo hi"
script = { shell = true, command = "echo {name}" }
words = { shell = true, command = ["a", "b"] }
taken = { command = ["tool", "{to}"], inputs = [{ name = "url" }] }
spaced = { command = ["tool", "{to}"], inputs = [{ name = "a b" }] }
nameless = { command = ["tool", "{to}"], inputs = [{ label = "To" }] }
twice = { command = ["tool", "{to}"], inputs = [{ name = "to" }, { name = "to" }] }
empty = { command = ["tool", "{to}"], inputs = [{ name = "to", options = [] }] }
choices = { command = ["tool", "{to}"], inputs = [{ name = "to", choices = ["a"] }] }
unused = { command = ["tool", "{to}"], inputs = [{ name = "to" }, { name = "by" }] }
word = { command = ["tool", "{to}"], inputs = ["to"] }
asked = { command = ["{to}"], inputs = [{ name = "to" }] }
asking = { shell = true, command = "echo {to}", inputs = [{ name = "to" }] }
missing.key = "S"
marked = { command = ["a"], output = "terminal", on = "marked" }
phases = { command = ["a"], phases = ["asleep"] }
key = { command = ["a"], key = ["a", "b"] }
keys = { command = ["a"], keys = "a" }
none.command = []
confirm = { command = ["df"], confirm = "maybe" }
"a b".command = ["true"]
`;
