import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startWorkAndLab } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { runs } from '../runs.ts';

type Walked = Awaited<ReturnType<typeof openWalked>>;

/** Opens two accounts whose computers have the same ids and names, so that only the account tells them apart. */
async function openWalked() {
	const { profiles } = await startWorkAndLab();
	return openConfiguredMonitor({ profiles, words: ['--all-profiles'] });
}

/** The operations that a question on the screen names, by account, such as `lab: POST /atlas/stop`. */
function namedInQuestion(monitor: Walked): readonly string[] {
	const text = monitor.text();
	const [, verb = '', target = ''] = /╭ (Stop|Restart|Start) (.+?)\? ─/.exec(text) ?? [];
	const requests = (account: string, names: string) =>
		names.split(', ').map(name => `${account}: POST /${name}/${verb.toLowerCase()}`);
	if (verb === '') return [];
	if (!/^\d+ computers$/.test(target)) {
		const [, account = monitor.sessions.sessionOf(undefined).profile.name] =
			/Account (\w+)/.exec(text) ?? [];
		return requests(account, target);
	}
	const lines = [...text.matchAll(/│ (work|lab): \d+ \(([^)]+)\)/g)];
	const [only = ''] = monitor.sessions.profiles().map(({ name }) => name);
	const [, names = ''] = /│ ((?:\w+, )*\w+)\s+│/.exec(text) ?? [];
	return lines.length > 0
		? lines.flatMap(([, account = '', each = '']) => requests(account, each))
		: requests(only, names);
}

const sentBy = (monitor: Walked) =>
	(['work', 'lab'] as const).flatMap(account =>
		monitor.operationRequests(account).map(text => `${account}: ${text.replace(/ \S+$/, '')}`),
	);

/** Answers the open question with what the screen asks for, and returns what the answer allows. */
async function confirm(monitor: Walked): Promise<readonly string[]> {
	const named = namedInQuestion(monitor);
	const [, typed] = /Type (.+?) to \w+ (?:it|them):/.exec(monitor.text()) ?? [];
	if (named.length === 0) return [];
	if (typed === undefined) await monitor.answer('y');
	else await monitor.answer(typed, 'enter');
	return named;
}

const operate = fc.record({
	do: fc.constant('operate' as const),
	filter: fc.constantFrom('account:lab', 'account:work', 'atlas', 'cygnus', ''),
	keys: fc.constantFrom(['j'], ['a'], ['space'], ['space', 'j', 'space'], []),
	operation: fc.constantFrom('x', 'r', 's'),
	isConfirmed: fc.boolean(),
});
const wait = fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(2, 7) });
const chosen = fc.constantFrom('work', 'lab');
const choose = fc.record({ do: fc.constant('choose' as const), name: chosen });
const step = fc.oneof(
	{ weight: 6, arbitrary: operate },
	{ weight: 3, arbitrary: wait },
	{ weight: 1, arbitrary: choose },
);

test('no keys in a table of two accounts send an operation to an account that its question did not name', async () => {
	const sent = new Set<string>();
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 8 }), async steps => {
			const monitor = await openWalked();
			const confirmed: string[] = [];
			for (const each of steps) {
				if (each.do === 'wait') await monitor.pass(each.seconds * 1_000, 4_000);
				else if (each.do === 'choose')
					await monitor.press(':', `account ${each.name}`, 'enter', 'escape');
				else {
					await monitor.press('/', 'ctrl-u', each.filter, 'enter', ...each.keys, each.operation);
					if (each.isConfirmed) confirmed.push(...(await confirm(monitor)));
					// Esc in the table would cancel what was confirmed.
					else if (namedInQuestion(monitor).length > 0) await monitor.press('escape');
				}
			}
			await monitor.pass(12_000, 4_000);
			const left = [...confirmed];
			for (const request of sentBy(monitor)) {
				const at = left.indexOf(request);
				expect(at, `${request} was not confirmed; confirmed: ${confirmed.join('; ')}`).not.toBe(-1);
				left.splice(at, 1);
				sent.add(request);
			}
			await monitor.closeAll();
		}),
		{ ...runs(2), endOnFailure: true },
	);
	expect([...sent].join()).toContain('work: POST');
	expect([...sent].join()).toContain('lab: POST');
});
