import { dialogIn, operationIn, yesKeyIn } from './frame.ts';
import { idIn } from './open-dialog.ts';
import { names, usualSize, type Walk } from './open-walk.ts';
import type { CoverOptions, Step } from './steps.ts';

const tooSmall = [20, 5] as const;

/** Performs one step, and returns how many steps it counts as. Each pressed key counts as one. */
export async function performStep(walk: Walk, step: Step): Promise<number> {
	const { clock, simulator } = walk;
	const { world } = simulator;
	const computers = world.computers();
	const id =
		'place' in step ? computers[step.place % Math.max(1, computers.length)]?.id : undefined;
	switch (step.do) {
		case 'keys':
			return pressKeys(walk, step.keys);
		case 'repeatKey':
			for (let time = 0; time < step.times; time += 1) {
				await pressKeys(walk, [step.key]);
				clock.move(step.wait / 4);
			}
			return step.times;
		case 'beginOperation':
			return beginOperation(walk, step);
		case 'confirm':
			return confirm(walk);
		case 'typeWrongName':
			return pressKeys(walk, [...(names[2] ?? ''), 'enter']);
		case 'useMouse':
			walk.mouse(step.kind, step.x, step.y);
			break;
		case 'closeAll':
			for (const _ of [1, 2]) await pressKeys(walk, ['escape']);
			return 2 + (await pressKeys(walk, ['escape', 'ctrl-u', '1']));
		case 'paste':
			await walk.paste(step.text, step.pause);
			break;
		case 'junk':
			await walk.junk(step.bytes, step.at, step.pause, step.isUnfinished);
			break;
		case 'coverCountdown':
			return coverCountdown(walk, step);
		case 'suspend':
			return pressKeys(walk, ['ctrl-z']);
		case 'resume':
			walk.resume();
			break;
		case 'wait':
			await walk.pass(step.time);
			break;
		case 'jumpClock':
			clock.jump(step.by);
			break;
		case 'resize':
			walk.resize(step.size);
			break;
		case 'focus':
			walk.focus();
			break;
		case 'lock':
			return pressKeys(walk, ['L']);
		case 'releaseVersion':
			world.publishRelease(`1.${5 + step.place}.0`);
			break;
		case 'expireTokens':
			simulator.expireTokens();
			break;
		case 'remove':
			if (id) world.remove(id);
			break;
		case 'add':
			walk.add(names[step.place % names.length] ?? '');
			break;
		case 'change':
			if (id && world.get(id).state === 'active') world.sleep(id);
			else if (id && world.get(id).state === 'stopped') world.wake(id);
			break;
		case 'rename':
			if (id) walk.rename(id, names[step.other % names.length] ?? '');
			break;
		case 'setFates':
			walk.setFates(step.fates);
			break;
		case 'quit':
			return quitProgram(walk, 'q');
		case 'interrupt':
			return quitProgram(walk, 'ctrl-c');
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
async function beginOperation(
	walk: Walk,
	step: Extract<Step, { do: 'beginOperation' }>,
): Promise<number> {
	const { key, down, marks, wait } = step;
	// Without the table on the screen, go back to it first.
	const isTable = walk.frame().includes('NAME') && !walk.frame().includes('╭');
	const keys = [
		...(isTable ? ['g'] : ['escape', '1', 'g']),
		...Array.from({ length: down }, () => 'j'),
		...Array.from({ length: marks }, () => 'space'),
		key,
	];
	await pressKeys(walk, keys);
	walk.clock.move(wait);
	return keys.length + (await answerQuestion(walk, step));
}

async function answerQuestion(
	walk: Walk,
	step: Extract<Step, { do: 'beginOperation' }>,
): Promise<number> {
	switch (step.answer) {
		case 'confirm':
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
		case 'confirmAndCancel': {
			const count = await confirm(walk);
			walk.clock.move(1_000);
			await walk.observe();
			return count + (await pressKeys(walk, ['escape']));
		}
		case 'confirmAndQuit':
			return (await confirm(walk)) + (await quitProgram(walk, 'q'));
		case 'coverCountdown':
			return (await confirm(walk)) + (await coverCountdown(walk, step.cover));
	}
}

/** Covers a countdown for a while, and then uncovers the countdown or leaves it covered. */
async function coverCountdown(walk: Walk, options: CoverOptions): Promise<number> {
	const { by, before, during, end, after } = options;
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
	let asked: string | undefined;
	for (let turn = 0; turn < 4; turn += 1) {
		const keys = answerTo(walk.frame());
		if (!keys) break;
		const { title, prompt } = dialogIn(walk.frame()) ?? {};
		// The next step can be confirmed after a moment.
		if (asked !== undefined && asked !== `${title} ${prompt}`) walk.clock.move(300);
		asked = `${title} ${prompt}`;
		// What confirms counts only in a read of its own.
		const typed = keys.slice(0, -1);
		if (typed.length > 0) count += await pressKeys(walk, typed);
		count += await pressKeys(walk, keys.slice(-1));
	}
	return count;
}

function answerTo(frame: string): readonly string[] | undefined {
	const { title = '', text = '', prompt = '' } = dialogIn(frame) ?? {};
	const yes = yesKeyIn(prompt);
	if (yes) return [yes];

	const id = idIn(text) ?? '';
	const { target = '', count = 1, operation = '' } = operationIn(title) ?? {};
	const isId = prompt.startsWith(`Type ${id} to `);
	const typedAnswer = count > 1 ? `${operation} ${count}` : isId ? id : target;
	if (prompt.startsWith('Type')) return ['ctrl-u', ...typedAnswer, 'enter'];
	if (prompt.startsWith('Port')) return ['ctrl-u', ...'8080', 'enter'];
	return prompt === '' ? undefined : ['enter'];
}
