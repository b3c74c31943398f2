import { dialogIn, namedIn, yesIn } from './frame.ts';
import { names, usual, type Walk } from './stage.ts';
import type { Over, Step } from './steps.ts';

const tooSmall = [20, 5] as const;

/** Does one step, and returns for how many it counts: each key is one. */
export async function live(walk: Walk, step: Step): Promise<number> {
	const { clock, state, platform } = walk;
	const at = (place: number) =>
		[...platform.computers.keys()][place % Math.max(1, platform.computers.size)] ?? 'sb_none';
	switch (step.do) {
		case 'keys':
			return typed(walk, step.keys);
		case 'hold':
			for (let time = 0; time < step.times; time += 1) {
				await typed(walk, [step.key]);
				clock.move(step.wait / 4);
			}
			return step.times;
		case 'order':
			return order(walk, step);
		case 'comply':
			return comply(walk);
		case 'misname':
			return typed(walk, [...(names[2] ?? ''), 'enter']);
		case 'point':
			walk.point(step.kind, step.x, step.y);
			break;
		case 'clear':
			for (const _ of [1, 2]) await typed(walk, ['escape']);
			return 2 + (await typed(walk, ['escape', 'ctrl-u', '1']));
		case 'paste':
			await walk.paste(step.text, step.pause);
			break;
		case 'junk':
			await walk.junk(step.bytes, step.at, step.pause, step.isUnfinished);
			break;
		case 'over':
			return coverWith(walk, step);
		case 'suspend':
			return typed(walk, ['ctrl-z']);
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
			return typed(walk, ['L']);
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
			walk.call(at(step.place), names[step.other % names.length] ?? '');
			break;
		case 'fate':
			platform.setFate(step.fate);
			break;
		case 'tell':
			platform.setReadFate(step.telling);
			break;
		case 'quit':
			return leave(walk, 'q');
		case 'interrupt':
			return leave(walk, 'ctrl-c');
		case 'kill':
			await walk.reopen();
			break;
		case 'see':
			if (!walk.frame().includes(step.text)) throw new Error(`not on screen: ${step.text}`);
	}
	await walk.settleDown();
	return 1;
}

async function typed(walk: Walk, keys: readonly string[]): Promise<number> {
	walk.type(keys);
	await walk.settleDown();
	return keys.length;
}

/** Goes to a computer, or marks some, asks for something, and says yes to it. */
async function order(walk: Walk, step: Extract<Step, { do: 'order' }>): Promise<number> {
	const { asking, down, marks, wait } = step;
	// A person who does not see the table looks for the way back to it.
	const isTable = walk.frame().includes('NAME') && !walk.frame().includes('╭');
	const keys = [
		...(isTable ? ['g'] : ['escape', '1', 'g']),
		...Array.from({ length: down }, () => 'j'),
		...Array.from({ length: marks }, () => 'space'),
		asking,
	];
	await typed(walk, keys);
	walk.clock.move(wait);
	return keys.length + (await answered(walk, step));
}

async function answered(walk: Walk, step: Extract<Step, { do: 'order' }>): Promise<number> {
	switch (step.how) {
		case 'comply':
			return comply(walk);
		case 'enter':
			return typed(walk, ['enter']);
		case 'paste': {
			const letters = (answerTo(walk.frame()) ?? []).filter(key => key.length === 1);
			await walk.paste(`${letters.join('')}\n`, 0);
			return 1;
		}
		case 'cover':
			walk.resize(tooSmall);
			await walk.settleDown();
			walk.resize(usual);
			await walk.settleDown();
			return 2 + (await comply(walk));
		case 'keep': {
			const count = await comply(walk);
			walk.clock.move(1_000);
			await walk.settleDown();
			return count + (await typed(walk, ['escape']));
		}
		case 'leave':
			return (await comply(walk)) + (await leave(walk, 'q'));
		case 'over':
			return (await comply(walk)) + (await coverWith(walk, step.over));
	}
}

/** Covers what counts down, leaves it covered for a while, and uncovers it again, or does not. */
async function coverWith(walk: Walk, over: Over): Promise<number> {
	const { by, before, during, end, after } = over;
	walk.clock.move(before);
	await walk.settleDown();
	let count = 1;
	if (by === 'small') walk.resize(tooSmall);
	if (by === 'shell') walk.type(['ctrl-z']);
	if (by !== 'small' && by !== 'shell') {
		walk.type(openers[by]);
		count = openers[by].length;
	}
	await walk.settleDown();
	await walk.pass(during);
	if (by === 'small') walk.resize(usual);
	else if (by === 'shell') walk.resume();
	else if (end !== 'stay') count += await typed(walk, [end]);
	await walk.settleDown();
	walk.clock.move(after);
	await walk.settleDown();
	return count;
}

/** Keys that open a dialog. */
const openers = {
	question: ['G', 'r'],
	typed: ['G', 'D'],
	port: ['G', 'p'],
	create: ['n'],
	pay: ['2', 'o'],
	quit: ['q'],
	interrupt: ['ctrl-c'],
	signIn: ['l'],
} as const;

async function leave(walk: Walk, key: string): Promise<number> {
	await typed(walk, [key]);
	walk.clock.move(300);
	return 1 + (await comply(walk));
}

/** Does what the question on screen wants; what it wants is read there. */
async function comply(walk: Walk): Promise<number> {
	let count = 0;
	for (let turn = 0; turn < 4; turn += 1) {
		const keys = answerTo(walk.frame());
		if (!keys) break;
		count += await typed(walk, keys);
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
	const wanted = count > 1 ? `${operation} ${count}` : isId ? id : who;
	if (prompt.startsWith('Type')) return ['ctrl-u', ...wanted, 'enter'];
	if (prompt.startsWith('Port')) return ['ctrl-u', ...'8080', 'enter'];
	return prompt === '' ? undefined : ['enter'];
}
