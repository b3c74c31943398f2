import type { ReadName } from '../fleet/reads.ts';
import type { Line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import { failureBehind } from '../store/freshness.ts';
import { failingReadLines, readAgeSpans, readingText } from './phrases/reads.ts';
import type { Scene } from './scene.ts';

/** When a read was last answered, and how long it has been failing. */
export const readAge = (scene: Scene, read: ReadName): readonly Span[] => readAgeSpans(scene, read);

/** Says why a read fails, and what to do; nothing while it works. */
export function failureLines({ account, now }: Scene, read: ReadName): readonly Line[] {
	const { answer, failing } = account.reads[read] ?? {};
	const streak = answer ? failing : failureBehind(account, read, now);
	return failingReadLines(read, streak).map(spans => ({ spans }));
}

/** Stands in the place of data until their first read is answered. */
export const waitingLine = (read: ReadName): Line => ({
	spans: [[`  ${readingText(read)}`]],
	isWaiting: true,
});
