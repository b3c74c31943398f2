import { dialogIn, operationIn, yesKeyIn } from './frame.ts';
import { idIn } from './open-dialog.ts';
import { names, usualSize, type Walk } from './open-walk.ts';
import type { CoverOptions, Step } from './steps.ts';

const tooSmall = [20, 5] as const;

export async function performStep(walk: Walk, step: Step): Promise<void> {
	switch (step.do) {
		case 'keys':
			return pressKeys(walk, step.keys);
		case 'repeatKey':
			for (let time = 0; time < step.times; time += 1) {
				await pressKeys(walk, [step.key]);
				walk.clock.move(step.wait / 4);
			}
			return;
		case 'beginOperation':
			return beginOperation(walk, step);
		case 'confirm':
			return confirm(walk);
		case 'typeWrongName':
			return pressKeys(walk, [...(names[2] ?? ''), 'enter']);
		case 'closeAll':
			for (const _ of [1, 2]) await pressKeys(walk, ['escape']);
			return pressKeys(walk, ['escape', 'ctrl-u', '1']);
		case 'coverCountdown':
			return coverCountdown(walk, step.cover);
		case 'suspend':
			return pressKeys(walk, ['ctrl-z']);
		case 'lock':
			return pressKeys(walk, ['L']);
		case 'quit':
			return quitProgram(walk, 'q');
		case 'interrupt':
			return quitProgram(walk, 'ctrl-c');
		default:
			await happen(walk, step);
			await walk.observe();
	}
}

/** What a person does without the keys, and what happens elsewhere. */
function happen(walk: Walk, step: Step): unknown {
	const { world } = walk.simulator;
	const computers = world.computers();
	const id =
		'place' in step ? computers[step.place % Math.max(1, computers.length)]?.id : undefined;
	switch (step.do) {
		case 'useMouse':
			return walk.mouse(step.kind, step.x, step.y);
		case 'paste':
			return walk.paste(step.text, step.pause);
		case 'junk':
			return walk.junk(step);
		case 'resume':
			return walk.resume();
		case 'wait':
			return walk.pass(step.time);
		case 'jumpClock':
			return walk.clock.jump(step.by);
		case 'resize':
			return walk.resize(step.size);
		case 'focus':
			return walk.focus();
		case 'releaseVersion':
			return world.publishRelease(`1.${5 + step.place}.0`);
		case 'expireTokens':
			return walk.simulator.expireTokens();
		case 'add':
			return walk.add(names[step.place % names.length] ?? '');
		case 'setFates':
			return walk.setFates(step.fates);
		case 'remove':
			return id && world.remove(id);
		case 'rename':
			return id && walk.rename(id, names[step.other % names.length] ?? '');
		case 'change':
			if (id && world.get(id).state === 'active') return world.sleep(id);
			return id && world.get(id).state === 'stopped' && world.wake(id);
		default:
			return undefined;
	}
}

async function pressKeys(walk: Walk, keys: readonly string[]) {
	walk.type(keys);
	await walk.observe();
}

/** Moves to a computer or marks some, presses the key of an operation, and answers the question. */
async function beginOperation(walk: Walk, step: Extract<Step, { do: 'beginOperation' }>) {
	const { key, down, marks, wait } = step;
	// Without the table on the screen, go back to it first.
	const isTable = walk.frame().includes('NAME') && !walk.frame().includes('╭');
	await pressKeys(walk, [
		...(isTable ? ['g'] : ['escape', '1', 'g']),
		...Array.from({ length: down }, () => 'j'),
		...Array.from({ length: marks }, () => 'space'),
		key,
	]);
	walk.clock.move(wait);
	switch (step.answer) {
		case 'confirm':
			return confirm(walk);
		case 'enter':
			return pressKeys(walk, ['enter']);
		case 'paste': {
			const letters = (answerTo(walk.frame()) ?? []).filter(key => key.length === 1);
			return walk.paste(`${letters.join('')}\n`, 0);
		}
		case 'cover':
			for (const size of [tooSmall, usualSize]) {
				walk.resize(size);
				await walk.observe();
			}
			return confirm(walk);
		case 'confirmAndCancel':
			await confirm(walk);
			walk.clock.move(1_000);
			await walk.observe();
			return pressKeys(walk, ['escape']);
		case 'confirmAndQuit':
			await confirm(walk);
			return quitProgram(walk, 'q');
		case 'coverCountdown':
			await confirm(walk);
			return coverCountdown(walk, step.cover);
	}
}

/** The keys that open what covers a countdown. */
const coveringKeys = {
	question: ['G', 'r'],
	typed: ['G', 'D'],
	port: ['G', 'p'],
	create: ['n'],
	pay: ['2', 'o'],
	quit: ['q'],
	interrupt: ['ctrl-c'],
	signIn: ['l'],
	shell: ['ctrl-z'],
} as const;

/** Covers a countdown for a while, and then uncovers the countdown or leaves it covered. */
async function coverCountdown(walk: Walk, { by, before, during, end, after }: CoverOptions) {
	walk.clock.move(before);
	await walk.observe();
	if (by === 'small') walk.resize(tooSmall);
	else walk.type(coveringKeys[by]);
	await walk.observe();
	await walk.pass(during);
	if (by === 'small') walk.resize(usualSize);
	else if (by === 'shell') walk.resume();
	else if (end !== 'stay') await pressKeys(walk, [end]);
	await walk.observe();
	walk.clock.move(after);
	await walk.observe();
}

async function quitProgram(walk: Walk, key: string) {
	await pressKeys(walk, [key]);
	walk.clock.move(300);
	await confirm(walk);
}

/** Confirms the question on the screen with the answer that its prompt asks for. */
async function confirm(walk: Walk) {
	let asked: string | undefined;
	for (let turn = 0; turn < 4; turn += 1) {
		const keys = answerTo(walk.frame());
		if (!keys) return;
		const { title, prompt } = dialogIn(walk.frame()) ?? {};
		// The next step can be confirmed after a moment.
		if (asked !== undefined && asked !== `${title} ${prompt}`) walk.clock.move(300);
		asked = `${title} ${prompt}`;
		// What confirms counts only in a read of its own.
		const typed = keys.slice(0, -1);
		if (typed.length > 0) await pressKeys(walk, typed);
		await pressKeys(walk, keys.slice(-1));
	}
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
