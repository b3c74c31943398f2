import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globalIdOf, splitGlobalId } from '../../source/fleet/computers/global-id.ts';
import { createSharedParts, openSession } from '../../source/session/session.ts';
import { createHeldClock } from '../held-clock.ts';
import { answerTo } from '../operations/open-operations.ts';
import { createPretendPlatform } from '../operations/pretend-platform.ts';
import { runs } from './runs.ts';

const names = ['work', 'lab', 'home'];
const computerCount = 4;

/** Opens three accounts whose computers have the same ids and names, and notes what each platform receives. */
function openAccounts(readOnly: ReadonlySet<string>) {
	const clock = createHeldClock();
	const host = { clock, msSinceBoot: clock.now, random: () => 0.5 };
	const shared = createSharedParts(host, {
		lockAfterMs: Number.POSITIVE_INFINITY,
		skipsGrace: true,
	});
	const received: string[] = [];
	const accounts = names.map(name => {
		const platform = createPretendPlatform(({ operation, id }) =>
			received.push(`${name} ${operation} ${id}`),
		);
		for (let at = 0; at < computerCount; at += 1) platform.add(`box ${at}`);
		const session = openSession(
			host,
			{
				account: name,
				baseUrl: 'https://api.test/v1',
				credentials: { kind: 'token', token: 'token' },
				fetch: platform.fetch,
				isReadOnly: readOnly.has(name),
			},
			shared,
		);
		const computers = [...platform.computers.values()].map(({ sandbox_id: id, ...rest }) => {
			return { id, name: rest.name, status: rest.status };
		});
		shared.store.receive([{ account: name, at: clock.now(), type: 'listRead', computers }]);
		return { platform, session };
	});

	return {
		shared,
		received,
		async settle() {
			for (let turn = 0; turn < 40; turn += 1) {
				await new Promise(resolve => setImmediate(resolve));
				clock.move(500);
			}
		},
		async close() {
			shared.operations.quit();
			await Promise.all(accounts.map(({ session }) => session.close()));
		},
	};
}

const target = fc
	.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: computerCount }))
	.map(([account, number]) => globalIdOf(account, `sb_${number}`));

test('each request of a question about several accounts goes to the account of its computer', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.uniqueArray(target, { minLength: 1, maxLength: 10 }),
			fc.constantFrom('stop', 'restart', 'delete'),
			fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
			async (ids, operation, readOnlyNames) => {
				const readOnly = new Set(readOnlyNames);
				const table = openAccounts(readOnly);
				const expected = ids
					.map(splitGlobalId)
					.filter(({ account }) => !readOnly.has(account))
					.map(({ account, id }) => `${account} ${operation} ${id}`);
				const reply = table.shared.operations.ask(operation, ids);
				if (reply.type === 'question') {
					const { question } = reply;
					const answers = question.steps.map(answerTo);
					table.shared.operations.answer({ ...question, answers });
					expect(question.targets).toHaveLength(expected.length);
					expect(question.skipped).toHaveLength(ids.length - expected.length);
				} else expect(expected).toEqual([]);
				await table.settle();
				await table.close();
				expect(table.received.toSorted()).toEqual(expected.toSorted());
			},
		),
		runs(30),
	);
});
