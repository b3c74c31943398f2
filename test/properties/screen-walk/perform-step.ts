import { dialogIn, namedIn, yesIn } from './frame.ts';
import { names, usualSize, type Walk } from './open-walk.ts';
import type { CoverOptions, Step } from './steps.ts';

const tooSmall = [20, 5] as const;

/** Performs one step, and returns the number of steps it counts for: each key is one. */
export async function performStep(walk: Walk, step: Step): Promise<number> {
	const { clock, state, platform } = walk;
	const at = (place: number) =>
		[...platform.computers.keys()][place % Math.max(1, platform.computers.size)] ?? 'sb_none';
	switch (step.do) {
		case 'keys':
			return pressKeys(walk, step.keys);
		case 'hold':
			for (let time = 0; time < step.times; time += 1) {
				await pressKeys(walk, [step.key]);
				clock.move(step.wait / 4);
			}
			return step.times;
		case 'order':
			return orderOperation(walk, step);
		case 'comply':
			return confirm(walk);
		case 'misname':
			return pressKeys(walk, [...(names[2] ?? ''), 'enter']);
		case 'point':
			walk.mouse(step.kind, step.x, step.y);
			break;
		case 'clear':
			for (const _ of [1, 2]) await pressKeys(walk, ['escape']);
			return 2 + (await pressKeys(walk, ['escape', 'ctrl-u', '1']));
		case 'paste':
			await walk.paste(step.text, step.pause);
			break;
		case 'junk':
			await walk.junk(step.bytes, step.at, step.pause, step.isUnfinished);
			break;
		case 'over':
			return coverCountdown(walk, step);
		case 'suspend':
			return pressKeys(walk, ['ctrl-z']);
		case 'resume':
			walk.resume();
			break;
		case 'wait':
			await walk.pass(step.time);
			break;
		case 'jump':
			state.ahead += step.by;
			break;
		case 'resize':
			walk.resize(step.size);
			break;
		case 'focus':
			walk.focus();
			break;
		case 'lock':
			return pressKeys(walk, ['L']);
		case 'release':
			state.latest += 1;
			break;
		case 'settle':
			platform.completeChanges();
			break;
		case 'remove':
			platform.computers.delete(at(step.place));
			break;
		case 'appear':
			walk.add(names[step.place % names.length] ?? '');
			break;
		case 'change':
			platform.change(at(step.place), step.other % 2 ? 'stopped' : 'active');
			break;
		case 'rename':
			walk.setName(at(step.place), names[step.other % names.length] ?? '');
			break;
		case 'fate':
			platform.setFate(step.fate);
			break;
		case 'tell':
			platform.setReadFate(step.telling);
			break;
		case 'quit':
			return quitProgram(walk, 'q');
		case 'interrupt':
			return quitProgram(walk, 'ctrl-c');
		case 'kill':
			await walk.reopen();
			break;
		case 'see':
			if (!walk.frame().includes(step.text)) throw new Error(`not on screen: ${step.text}`);
	}
	await walk.observe();
	return 1;
}

async function pressKeys(walk: Walk, keys: readonly string[]): Promise<number> {
	walk.type(keys);
	await walk.observe();
	return keys.length;
}

/** Moves to a computer or marks some, presses the key of an operation, and answers the question. */
async function orderOperation(walk: Walk, step: Extract<Step, { do: 'order' }>): Promise<number> {
	const { asking, down, marks, wait } = step;
	// Without the table on the screen, go back to it first.
	const isTable = walk.frame().includes('NAME') && !walk.frame().includes('╭');
	const keys = [
		...(isTable ? ['g'] : ['escape', '1', 'g']),
		...Array.from({ length: down }, () => 'j'),
		...Array.from({ length: marks }, () => 'space'),
		asking,
	];
	await pressKeys(walk, keys);
	walk.clock.move(wait);
	return keys.length + (await answerQuestion(walk, step));
}

async function answerQuestion(walk: Walk, step: Extract<Step, { do: 'order' }>): Promise<number> {
	switch (step.how) {
		case 'comply':
			return confirm(walk);
		case 'enter':
			return pressKeys(walk, ['enter']);
		case 'paste': {
			const letters = (answerTo(walk.frame()) ?? []).filter(key => key.length === 1);
			await walk.paste(`${letters.join('')}\n`, 0);
			return 1;
		}
		case 'cover':
			walk.resize(tooSmall);
			await walk.observe();
			walk.resize(usualSize);
			await walk.observe();
			return 2 + (await confirm(walk));
		case 'keep': {
			const count = await confirm(walk);
			walk.clock.move(1_000);
			await walk.observe();
			return count + (await pressKeys(walk, ['escape']));
		}
		case 'leave':
			return (await confirm(walk)) + (await quitProgram(walk, 'q'));
		case 'over':
			return (await confirm(walk)) + (await coverCountdown(walk, step.over));
	}
}

/** Covers a countdown for a while, and then uncovers it or leaves it covered. */
async function coverCountdown(walk: Walk, over: CoverOptions): Promise<number> {
	const { by, before, during, end, after } = over;
	walk.clock.move(before);
	await walk.observe();
	let count = 1;
	if (by === 'small') walk.resize(tooSmall);
	if (by === 'shell') walk.type(['ctrl-z']);
	if (by !== 'small' && by !== 'shell') {
		walk.type(dialogKeys[by]);
		count = dialogKeys[by].length;
	}
	await walk.observe();
	await walk.pass(during);
	if (by === 'small') walk.resize(usualSize);
	else if (by === 'shell') walk.resume();
	else if (end !== 'stay') count += await pressKeys(walk, [end]);
	await walk.observe();
	walk.clock.move(after);
	await walk.observe();
	return count;
}

/** The keys that open each dialog. */
const dialogKeys = {
	question: ['G', 'r'],
	typed: ['G', 'D'],
	port: ['G', 'p'],
	create: ['n'],
	pay: ['2', 'o'],
	quit: ['q'],
	interrupt: ['ctrl-c'],
	signIn: ['l'],
} as const;

async function quitProgram(walk: Walk, key: string): Promise<number> {
	await pressKeys(walk, [key]);
	walk.clock.move(300);
	return 1 + (await confirm(walk));
}

/** Confirms the question on the screen with the answer that its prompt asks for. */
async function confirm(walk: Walk): Promise<number> {
	let count = 0;
	for (let turn = 0; turn < 4; turn += 1) {
		const keys = answerTo(walk.frame());
		if (!keys) break;
		count += await pressKeys(walk, keys);
	}
	return count;
}

function answerTo(frame: string): readonly string[] | undefined {
	const { title = '', text = '', prompt = '' } = dialogIn(frame) ?? {};
	const yes = yesIn(prompt);
	if (yes) return [yes];
	if (prompt.startsWith('Password')) return ['p', 'enter'];
	const [id = ''] = /^sb_\d+/.exec(text) ?? [];
	const { who = '', count = 1, operation = '' } = namedIn(title) ?? {};
	const isId = prompt.startsWith(`Type ${id} to `);
	const typedAnswer = count > 1 ? `${operation} ${count}` : isId ? id : who;
	if (prompt.startsWith('Type')) return ['ctrl-u', ...typedAnswer, 'enter'];
	if (prompt.startsWith('Port')) return ['ctrl-u', ...'8080', 'enter'];
	return prompt === '' ? undefined : ['enter'];
}
