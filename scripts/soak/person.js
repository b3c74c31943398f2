// A simulated person who never pauses: navigates, starts operations, answers questions, resizes the window.

/** Returns a generator of numbers from 0 to 1 that repeats for the same seed. */
export function createRandom(seed) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const viewKeys = [
	...['j', 'j', 'j', 'k', 'k', 'g', 'G', '\x1b[6~', '\x1b[5~', '\r', '\x1b', '\x1b', '\t'],
	...['1', '1', '1', '2', '3', '4', '5', '<', '>', '=', 'R', ' ', 'a', '*', 'y', 'v', '\x0c'],
	...['?', '/', '/', ':'],
];
const operationKeys = ['s', 'x', 'x', 'r', 'u', 'p', 'P', 'D', 'n', 'F'];
const filters = ['status:active', 'status:stopped', 'a', 'cpu:>50 OR port:8080', '-a', 'zzz'];
const sizes = [
	[120, 40],
	[80, 24],
	[200, 50],
	[60, 15],
	[100, 30],
	[28, 5],
];

/** Returns the keys that answer the question on the screen; undefined when no question is open. */
function answerTo(text, random) {
	const [, many] = /Type (\w+ \d+) to \w+ them:/.exec(text) ?? [];
	if (many) return `\x15${many}\r`;
	const [, name] = /Type (\S+) to \w+ it:/.exec(text) ?? [];
	if (name) return `\x15${name}\r`;
	if (/Port/.test(text) && /1 to 65535|to unpublish:/.test(text)) {
		return `\x15${1024 + Math.floor(random() * 60_000)}\r`;
	}
	if (/Name \(optional\):|Provider:/.test(text)) return '\r';
	return /y \/ n/.test(text) ? 'y' : undefined;
}

export function createPerson({ random, press, text, resize, wait }) {
	const some = list => list[Math.floor(random() * list.length)];

	async function typed(letters, end) {
		for (const letter of letters) press(letter);
		await wait(100);
		press(end);
	}

	async function operate() {
		press('1');
		press(some(operationKeys));
		for (let step = 0; step < 4; step++) {
			// Wait, because a question ignores keys during its first 300 ms.
			await wait(400);
			const answer = random() < 0.8 ? answerTo(text(), random) : '\x1b';
			if (answer === undefined) break;
			press(answer);
		}
		if (random() < 0.2) press('\x1b');
	}

	return {
		async act() {
			const what = random();
			if (what < 0.02) resize(...some(sizes));
			else if (what < 0.04) press(`L${'x'}`);
			else if (what < 0.2) await operate();
			else {
				const key = some(viewKeys);
				press(key);
				if (key === '/') await typed(some(filters), some(['\r', '\x1b']));
				if (key === ':') await typed(some(['stop', 'help', 'billing', 'zz']), '\x1b');
				if (key === '?') await typed('', '?');
			}
			// If the screen offers to unlock the monitor, the next action needs that first.
			await wait(50);
			if (/Unlock\? y/.test(text())) {
				await wait(400);
				press('y');
			}
		},
	};
}
