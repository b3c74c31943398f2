import type { Clock } from '../fleet/clock.ts';
import type { ReadName } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import { PlatformError } from '../platform/platform-error.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { AccountSession } from '../session/session.ts';
import { type ReadResult, reads } from '../watch/reads.ts';
import { createWaitNotice, retryWhenLimited } from './rate-limit-wait.ts';

type ReaderOptions = {
	clock: Clock;
	session: AccountSession;
	signal: AbortSignal;
	notify: (line: string) => void;
};

/** What is read of the account as a whole. */
export type AccountRead = Exclude<ReadName, 'status' | 'detail'>;

/** What the reads are about, for a sentence. */
export const readSubjects: Readonly<Record<ReadName, string>> = {
	list: 'the list of computers',
	status: 'the status of computers',
	detail: 'the records of computers',
	credits: 'the credits',
	subscription: 'the subscription',
	release: 'the latest version',
	models: 'the list of models',
};

/**
 * Reads one thing into the store. A rate limit is waited for; what failed is returned. Somebody asked
 * for it and waits: it goes before what a monitor reads by itself, and has the share that is kept from it.
 */
export type Reader = {
	read(name: AccountRead): Promise<Failure | undefined>;
	readStatus(id: string): Promise<Failure | undefined>;
	readDetail(id: string): Promise<Failure | undefined>;
};

export function createReader(parts: ReaderOptions): Reader {
	const { clock, session, signal, notify } = parts;
	const { account, store, platform } = session;
	const patience = { clock, session, signal, noticeWait: createWaitNotice(clock, notify) };

	async function fold(ask: (asking: RequestOptions) => Promise<ReadResult>): Promise<void> {
		const startedAt = clock.now();
		let sentAt: number | undefined;
		// Of several pages, what the first one told is the oldest.
		const onSent = () => {
			sentAt ??= clock.now();
		};
		const { fact } = await ask({ signal, priority: 'operation', onSent });
		store.fold({ account, at: clock.now(), askedAt: sentAt ?? startedAt, ...fact });
	}

	async function failureOf(
		ask: (asking: RequestOptions) => Promise<ReadResult>,
	): Promise<Failure | undefined> {
		try {
			await retryWhenLimited(patience, () => fold(ask));
			return undefined;
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
			return error.failure;
		}
	}

	async function readOne(name: 'status' | 'detail', id: string): Promise<Failure | undefined> {
		const failure = await failureOf(asking => reads[name].ask(platform, asking, id));
		if (failure) {
			store.fold({ account, at: clock.now(), type: 'readFailed', read: name, id, failure });
		}
		return failure;
	}

	return {
		read: name => failureOf(asking => reads[name].ask(platform, asking)),
		readStatus: id => readOne('status', id),
		readDetail: id => readOne('detail', id),
	};
}
