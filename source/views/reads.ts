import type { ReadName } from '../fleet/reads.ts';
import type { Line } from '../lines/line.ts';
import { failureBehind } from '../store/freshness.ts';
import { readingText, troubleLines } from './phrases/reads.ts';
import type { Scene } from './scene.ts';

/** Nothing while the read works. */
export function failureLines({ account, now }: Scene, read: ReadName): readonly Line[] {
	const { answer, failing } = account.reads[read] ?? {};
	const streak = answer ? failing : failureBehind(account, read, now);
	return streak ? troubleLines({ read, failure: streak.failure }).map(spans => ({ spans })) : [];
}

export const waitingLine = (read: ReadName): Line => ({
	spans: [[`  ${readingText(read)}`]],
	isWaiting: true,
});
