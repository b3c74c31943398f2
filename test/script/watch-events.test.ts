import { expect, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { ChangeRecord } from '../../source/script/json-records.ts';
import { createEventReporter, eventLine } from '../../source/script/watch-events.ts';
import { createStore } from '../../source/store/store.ts';

const begin = Date.UTC(2026, 10, 21, 8);

/** Creates a store and collects the events that `watch` would report from `begin` on. */
function watched() {
	const store = createStore();
	const news: ChangeRecord[] = [];
	const onNews = (each: ChangeRecord) => news.push(each);
	store.onFact(createEventReporter('work', begin, onNews));
	return {
		news,
		tell: (seconds: number, happening: FactBody) =>
			store.receive([{ account: 'work', at: begin + seconds * 1000, ...happening }]),
		/** Returns the printed lines without their times. */
		lines: () => news.map(each => eventLine(each).slice(21)),
	};
}

const nova = { id: 'sb_1', name: 'nova', status: 'provisioning', stage: 'creating' };

test('watch reports each stage of a creation once', () => {
	const { tell, lines, news } = watched();
	tell(1, { type: 'listRead', computers: [nova] });
	const loading = { ...nova, stage: 'loading_image' };
	tell(4, { type: 'computerRead', read: 'status', computer: { ...loading, stageProgress: 40 } });
	tell(7, { type: 'computerRead', read: 'status', computer: { ...loading, stageProgress: 60 } });
	tell(10, { type: 'listRead', computers: [{ ...loading, status: 'active', stage: 'ready' }] });
	expect(lines()).toEqual(['nova: creating, loading image (40 %)', 'nova: creating → active']);
	expect(news.map(({ event }) => event)).toEqual(['stage', 'status']);
	expect(news[0]).toMatchObject({
		from: 'creating',
		to: 'loading_image',
	});
});

test('watch ignores changes from before it began', () => {
	const { tell, lines } = watched();
	const computers = [{ reading: nova, seenAt: begin - 3_600_000 }];
	tell(-3_600, { type: 'recalled', computers });
	tell(1, { type: 'listRead', computers: [{ ...nova, status: 'error', stage: 'ready' }] });
	expect(lines()).toEqual([]);
	tell(3, { type: 'listRead', computers: [] });
	expect(lines()).toEqual(['nova is gone']);
});

test('watch reports credits that rise, and a new version', () => {
	const { tell, lines } = watched();
	const release = (version: string) => ({ version, changes: [] });
	tell(1, { type: 'answered', read: 'credits', answer: { balance: 10 } });
	tell(2, { type: 'answered', read: 'release', answer: release('1.4.1') });
	tell(60, { type: 'answered', read: 'credits', answer: { balance: 35 } });
	tell(61, { type: 'answered', read: 'release', answer: release('1.4.2') });
	expect(lines()).toEqual(['credits rose by 25.00 to 35.00', 'version 1.4.2 is out']);
});
