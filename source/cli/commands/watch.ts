import { join } from 'node:path';
import { eventLine, eventRecord } from '../../script/event-line.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { followOtherRuns } from '../../script/other-runs.ts';
import { createWaitNotice } from '../../script/rate-limit-wait.ts';
import { filterFromOption } from '../../script/select-computers.ts';
import { createEventWitness, type WatchEvent } from '../../script/watch-events.ts';
import { journalPath } from '../../session/open-journal.ts';
import type { Run } from '../../shell/command.ts';
import { errorFromFailure } from '../../shell/errors.ts';
import type { AccountState } from '../../store/state.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';

/** Tells what happens from now on, a line each, until it is interrupted or nobody reads any more. */
export const watch: Run = (host, args) =>
	withFleet(host, args, async fleet => {
		const { program, clock } = host;
		const { session, signal, say, current: known } = fleet;
		const { account, store, pace } = session;
		const isJson = args.flag('json');
		const filter = args.text('filter');
		const { test } = filterFromOption(filter ?? '');
		let telling: Promise<void> = Promise.resolve();

		function isMeant(news: WatchEvent, accounts: readonly AccountState[]) {
			const id = idOf(news);
			if (filter === undefined || id === undefined) return true;
			const computers = accounts.flatMap(each => each.computers.get(id) ?? []);
			return computers.some(each => test(each, clock.now()));
		}

		function write(news: WatchEvent) {
			const line = isJson ? JSON.stringify(eventRecord(news)) : cleanForTerminal(eventLine(news));
			if (!signal.aborted) program.stdout.write(`${line}\n`);
		}

		// From outside, a stop that another run asked for looks like one that nobody did.
		async function tell(news: WatchEvent) {
			if (news.type !== 'statusChanged' || !news.reason) return write(news);
			await others.checkNow();
			const { id, at } = news;
			write(others.wasEndedOnPurpose(id, at) ? { ...news, reason: 'asked' } : news);
		}

		const others = await followOtherRuns({
			path: join(journalPath(host), 'journal.jsonl'),
			account,
			clock,
			onMove(move) {
				if (isMeant(move, [known()])) write(move);
			},
		});
		store.witness(
			createEventWitness({
				account,
				from: clock.now(),
				onEvent(news, before, after) {
					if (isMeant(news, [before, after])) telling = telling.then(() => tell(news));
				},
			}),
		);
		const noticeWait = createWaitNotice(clock, say);
		pace.subscribe(() => {
			for (const { frozenUntil } of Object.values(pace.budgets())) noticeWait(frozenUntil ?? 0);
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

function idOf(news: WatchEvent): string | undefined {
	if (news.type === 'operationMoved') return news.wish.computer;
	return 'id' in news ? news.id : undefined;
}

// Whatever else fails at first may be right later; a wrong password is not.
async function begin({ watch, waitFor: once, say }: Fleet) {
	watch();
	const list = await once(({ reads }) =>
		reads.list?.answer || reads.list?.failing ? reads.list : undefined,
	);
	const failure = list?.failing?.failure;
	if (failure?.kind === 'auth') throw errorFromFailure('nothing can be watched', failure);
	if (failure) say(`the list of computers cannot be read: ${failure.message}; it is tried again`);
	else say('watching; Ctrl-C ends it');
}
