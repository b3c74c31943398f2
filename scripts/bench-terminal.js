// Opens the built program in a real pty with a real emulator, on a demo fleet of 1,000 computers, and
// prints what it costs beside the goals. `--stand-in` opens the tests' stand-in for the program.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { fewestBytes, screenOf } from './bench-terminal.fewest.js';
import { buildProgram, bundle, root } from './build.js';

const columns = 120;
const rows = 40;
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-bench-'));
const isStandIn = process.argv.includes('--stand-in');
const program = isStandIn ? join(folder, 'stand-in.js') : bundle;
const arguments_ = [program, ...(isStandIn ? [] : ['--demo']), '--computers', '1000'];

// Reading certificates makes Node's own start slower, with the program and without it.
const { NODE_EXTRA_CA_CERTS, NO_COLOR, TMUX, STY, ...inherited } = process.env;
const env = {
	...inherited,
	TERM: 'xterm-256color',
	LANG: 'C.UTF-8',
	HOME: folder,
	XDG_CACHE_HOME: join(folder, 'cache'),
	XDG_STATE_HOME: join(folder, 'state'),
	XDG_CONFIG_HOME: join(folder, 'config'),
};

const median = numbers => percentile(numbers, 0.5);
const percentile = (numbers, part) =>
	numbers.toSorted((a, b) => a - b)[
		Math.min(numbers.length - 1, Math.floor(numbers.length * part))
	];

/** Opens the program and takes apart what it writes, frame by frame. */
function open() {
	const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
	// The emulator knows the sequence that repeats a character, and tells it by its name.
	terminal.parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => {
		pty.write('\u001BP>|xterm.js(6.0.0)\u001B\\');
		return true;
	});
	const start = performance.now();
	const pty = spawn(process.execPath, arguments_, { cols: columns, rows, env, encoding: null });
	const frames = [];
	let last = start;
	terminal.onData(data => pty.write(data));
	pty.onData(data => {
		last = performance.now();
		frames.push({ at: last, data: Buffer.from(data) });
	});
	return {
		pty,
		terminal,
		start,
		press(key) {
			last = performance.now();
			pty.write(key);
		},
		/** Until nothing has come for a while. */
		async settle(quiet = 60, limit = 5000) {
			const until = performance.now() + limit;
			while (performance.now() < until && performance.now() - last < quiet) await sleep(5);
			return frames.splice(0);
		},
		take: () => frames.splice(0),
		text: () =>
			Array.from({ length: rows }, (_, y) =>
				terminal.buffer.active.getLine(y)?.translateToString(true),
			).join('\n'),
		show: data => new Promise(resolve => terminal.write(data, resolve)),
		async close() {
			const isGone = new Promise(resolve => pty.onExit(resolve));
			pty.kill('SIGKILL');
			await isGone;
		},
	};
}

/** What arrives within a moment was one frame. */
function grouped(chunks) {
	const groups = [];
	for (const { at, data } of chunks) {
		const group = groups.at(-1);
		if (group && at - group.end < 4) {
			group.data = Buffer.concat([group.data, data]);
			group.end = at;
		} else groups.push({ at, end: at, data });
	}
	return groups;
}

/** The style in which the emulator writes on: what a terminal knows, but none tells. */
function styleInUse(terminal) {
	const attributes = terminal._core._inputHandler._curAttrData;
	const flags = [
		[attributes.isBold(), 1],
		[attributes.isDim(), 2],
		[attributes.isItalic(), 3],
		[attributes.isUnderline(), 4],
		[attributes.isInverse(), 7],
		[attributes.isStrikethrough(), 9],
	];
	return JSON.stringify({
		flags: flags.filter(([isOn]) => isOn).map(([, start]) => start),
		foreground: colourInUse(attributes.getFgColorMode(), attributes.getFgColor(), 30),
		background: colourInUse(attributes.getBgColorMode(), attributes.getBgColor(), 40),
	});
}

function colourInUse(mode, number, ground) {
	if (mode === 0) return '';
	if (mode >> 24 === 1) return String(number < 8 ? ground + number : ground + 52 + number);
	if (mode >> 24 === 2) return `${ground + 8};5;${number}`;
	return `${ground + 8};2;${number >> 16};${(number >> 8) & 255};${number & 255}`;
}

/** Where the cursor is and what stands in the first columns, which only keys change. */
const namesOf = screen =>
	screen
		.map(row =>
			row
				.slice(0, 16)
				.map(({ glyph }) => glyph)
				.join(''),
		)
		.join('\n');

/** Shows the frames one by one; the bytes of each beside the fewest. */
async function measured(session, chunks) {
	const results = [];
	for (const { at, data } of grouped(chunks)) {
		const before = screenOf(session.terminal);
		const { cursorX: x, cursorY: y } = session.terminal.buffer.active;
		const style = styleInUse(session.terminal);
		await session.show(data);
		const after = screenOf(session.terminal);
		// Of what is tried there, now and then the program finds something shorter.
		const fewest = Math.min(data.length, fewestBytes(before, after, { x, y, style }));
		const isAnswer = namesOf(before) !== namesOf(after);
		results.push({ at, bytes: data.length, fewest, isAnswer, text: data.toString() });
	}
	return results;
}

/** The head of the table, and rows below it. */
function isShowing(text) {
	const [, ...rest] = text.split('NAME');
	return (
		rest
			.join('')
			.split('\n')
			.filter(line => line.trim() !== '').length > 20
	);
}

async function opened() {
	const session = open();
	const until = performance.now() + 20_000;
	while (performance.now() < until && !isShowing(session.text())) {
		for (const { data } of session.take()) await session.show(data);
		await sleep(20);
	}
	if (!isShowing(session.text())) throw new Error(`The fleet did not appear:\n${session.text()}`);
	// Everything that is drawn once at the start has been drawn.
	await sleep(4000);
	for (const { data } of session.take()) await session.show(data);
	return session;
}

/** Presses a key a number of times, and tells of the frame that answers each. */
async function pressed(session, key, times) {
	const answers = [];
	for (let time = 0; time < times; time++) {
		await measured(session, session.take());
		const at = performance.now();
		session.press(key);
		await session.settle(40, 500).then(async chunks => {
			const first = (await measured(session, chunks)).find(({ isAnswer }) => isAnswer);
			if (first) answers.push({ ...first, delay: first.at - at });
		});
		await sleep(30 + (time % 7) * 20);
	}
	return answers;
}

function tell(what, value, goal, isMet) {
	const columns = [what.padEnd(34), value.padStart(22), '   ', goal.padEnd(34)];
	process.stdout.write(`${columns.join('')}${isMet ? 'met' : 'MISSED'}\n`);
}

function tellBytes(what, answers) {
	const bytes = median(answers.map(each => each.bytes));
	const fewest = median(answers.map(each => each.fewest));
	const ratio = median(answers.map(each => each.bytes / Math.max(1, each.fewest)));
	tell(what, `${bytes} B`, `${fewest} B × ${ratio.toFixed(2)} of 1.15`, ratio <= 1.15);
	if (process.argv.includes('--frames'))
		process.stdout.write(`${JSON.stringify(answers.at(-1).text)}\n`);
}

/** Time from the start of the process until the table has come out of it, and until its rows have. */
async function firstPicture() {
	const session = open();
	let picture;
	let fleet;
	while (fleet === undefined && performance.now() - session.start < 20_000) {
		await sleep(1);
		for (const { at, data } of session.take()) {
			await session.show(data);
			if (session.text().includes('NAME')) picture ??= at - session.start;
			if (isShowing(session.text())) fleet ??= at - session.start;
		}
	}
	await session.close();
	return { picture, fleet };
}

/** In a pty too, which takes its time to be made. */
async function nodeAlone() {
	const start = performance.now();
	const pty = spawn(process.execPath, ['-e', '0'], { cols: columns, rows, env });
	await new Promise(resolve => pty.onExit(resolve));
	return performance.now() - start;
}

/** Processor time of a process in milliseconds. */
function cpuOf(pid) {
	const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/\(.*\)/, '()')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

const residentOf = pid =>
	Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function main() {
	const entry = `${root}test/terminal/stand-in/program.tsx`;
	await buildProgram(isStandIn ? { entry, outfile: program } : {});

	// The first start keeps what later ones need not compile.
	await (await opened()).close();
	const session = await opened();
	tellBytes('a cursor move', await pressed(session, 'j', 30));
	for (let step = 0; step < rows; step++) session.press('j');
	await session.settle().then(chunks => measured(session, chunks));
	const scrolled = await pressed(session, 'j', 30);
	tellBytes('a scrolled row', scrolled);
	tellBytes('a page', await pressed(session, '\u001B[6~', 12));
	session.press('g');
	await session.settle().then(chunks => measured(session, chunks));

	const seconds = 20;
	await sleep(1000);
	await measured(session, session.take());
	const before = cpuOf(session.pty.pid);
	await sleep(seconds * 1000);
	const cpu = (cpuOf(session.pty.pid) - before) / (seconds * 10);
	const rest = await measured(session, session.take());
	const sum = key => Math.round(rest.reduce((all, each) => all + each[key], 0) / seconds);
	const ratio = sum('bytes') / sum('fewest');
	tell(
		'a second at rest',
		`${sum('bytes')} B`,
		`${sum('fewest')} B × ${ratio.toFixed(2)} of 1.15`,
		ratio <= 1.15,
	);
	tell('CPU at rest', `${cpu.toFixed(1)} %`, 'at most 6 % of a core', cpu <= 6);
	const delays = (await pressed(session, 'j', 60)).map(({ delay }) => delay);
	const slow = percentile(delays, 0.95);
	tell(
		'key to picture (median, p95)',
		`${median(delays).toFixed(1)} ms, ${slow.toFixed(1)} ms`,
		'at most 16 ms at p95',
		slow <= 16,
	);
	const resident = residentOf(session.pty.pid);
	tell('memory', `${resident.toFixed(0)} MB`, 'at most 95 MB', resident <= 95);
	await session.close();

	const alone = [];
	const starts = [];
	for (let run = 0; run < 11; run++) {
		alone.push(await nodeAlone());
		starts.push(await firstPicture());
	}
	const picture = median(starts.map(start => start.picture));
	const fleet = median(starts.map(start => start.fleet));
	const times = picture / median(alone);
	tell(
		'first picture (and all rows)',
		`${picture.toFixed(0)} ms (${fleet.toFixed(0)} ms)`,
		`node -e 0 (${median(alone).toFixed(0)} ms) × ${times.toFixed(1)} of 3.5`,
		times <= 3.5,
	);
}

try {
	await main();
} finally {
	rmSync(folder, { recursive: true, force: true });
}
