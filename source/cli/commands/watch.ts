import { join } from 'node:path';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { createWaitTeller } from '../../script/rate-limit-wait.ts';
import { filterOf } from '../../script/select-computers.ts';
import { newsLine, newsRecord } from '../../script/watch-line.ts';
import { createNewsWitness, type News } from '../../script/watch-news.ts';
import { followOperations } from '../../script/watch-operations.ts';
import { journalPath } from '../../session/open-journal.ts';
import type { Run } from '../../shell/command.ts';
import { errorFromFailure } from '../../shell/command-failure.ts';
import type { AccountState } from '../../store/state.ts';
import { cleanForTerminal } from '../../terminal/say.ts';

/** Tells what happens from now on, a line each, until it is interrupted or nobody reads any more. */
export const watch: Run = (host, given) =>
	withFleet(host, given, async fleet => {
		const { program, clock } = host;
		const { lookout, signal, say, known } = fleet;
		const { account, store, pace } = lookout;
		const isJson = given.flag('json');
		const filter = given.text('filter');
		const { test } = filterOf(filter ?? '');
		let telling: Promise<void> = Promise.resolve();

		function isMeant(news: News, accounts: readonly AccountState[]) {
			const id = idOf(news);
			if (filter === undefined || id === undefined) return true;
			const computers = accounts.flatMap(each => each.computers.get(id) ?? []);
			return computers.some(each => test(each, clock.now()));
		}

		function write(news: News) {
			const line = isJson ? JSON.stringify(newsRecord(news)) : cleanForTerminal(newsLine(news));
			if (!signal.aborted) program.stdout.write(`${line}\n`);
		}

		// From outside, a stop that another run asked for looks like one that nobody did.
		async function tell(news: News) {
			if (news.type !== 'statusChanged' || !news.reason) return write(news);
			await others.look();
			const { id, at } = news;
			write(others.isAskedToEnd(id, at) ? { ...news, reason: 'asked' } : news);
		}

		const others = await followOperations({
			path: join(journalPath(host), 'journal.jsonl'),
			account,
			clock,
			onMove(move) {
				if (isMeant(move, [known()])) write(move);
			},
		});
		store.witness(
			createNewsWitness({
				account,
				from: clock.now(),
				onNews(news, before, after) {
					if (isMeant(news, [before, after])) telling = telling.then(() => tell(news));
				},
			}),
		);
		const tellWait = createWaitTeller(clock, say);
		pace.subscribe(() => {
			for (const { frozenUntil } of Object.values(pace.budgets())) tellWait(frozenUntil ?? 0);
		});
		try {
			await begin(fleet);
			return await new Promise<never>((_, reject) => {
				signal.addEventListener('abort', () => reject(signal.reason), { once: true });
				if (signal.aborted) reject(signal.reason);
			});
		} finally {
			others.stop();
		}
	});

function idOf(news: News): string | undefined {
	if (news.type === 'operationMoved') return news.wish.computer;
	return 'id' in news ? news.id : undefined;
}

// Whatever else fails at first may be right later; a wrong password is not.
async function begin({ watch, once, say }: Fleet) {
	watch();
	const list = await once(({ reads }) =>
		reads.list?.told || reads.list?.failing ? reads.list : undefined,
	);
	const failure = list?.failing?.failure;
	if (failure?.kind === 'auth') throw errorFromFailure('nothing can be watched', failure);
	if (failure) say(`the list of computers cannot be read: ${failure.message}; it is tried again`);
	else say('watching; Ctrl-C ends it');
}
