import { expect, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import { changeLine, createChangeReporter } from '../../source/script/watch-changes.ts';
import { createStore } from '../../source/store/store.ts';
import type { ChangeRecord } from '../../source/views/records.ts';

const begin = Date.UTC(2026, 10, 21, 8);

/** What `watch` reports from `begin` on. */
function watched() {
	const store = createStore();
	const news: ChangeRecord[] = [];
	store.onFact(createChangeReporter('work', begin, each => void news.push(each)));
	return {
		news,
		tell: (seconds: number, happening: FactBody) =>
			store.receive([{ account: 'work', at: begin + seconds * 1000, ...happening }]),
		/** The printed lines without their times. */
		lines: () => news.map(each => changeLine(each).slice(21)),
	};
}

const nova = { id: 'sb_1', name: 'nova', status: 'provisioning', stage: 'creating' };

test('watch reports each stage of a creation once, credits that rise and a new version', () => {
	const { tell, lines, news } = watched();
	const loading = { ...nova, stage: 'loading_image' };
	tell(1, { type: 'listRead', computers: [nova] });
	for (const stageProgress of [40, 60])
		tell(4, { type: 'computerRead', read: 'status', computer: { ...loading, stageProgress } });
	tell(10, { type: 'listRead', computers: [{ ...loading, status: 'active', stage: 'ready' }] });
	for (const balance of [10, 35])
		tell(60, { type: 'answered', read: 'credits', answer: { balance } });
	for (const version of ['1.4.1', '1.4.2'])
		tell(61, { type: 'answered', read: 'release', answer: { version, changes: [] } });
	expect(lines()).toEqual([
		'nova: creating, loading image (40 %)',
		'nova: creating → active',
		'credits rose by 25.00 to 35.00',
		'version 1.4.2 is out',
	]);
	expect(news[0]).toMatchObject({ event: 'stage', from: 'creating', to: 'loading_image' });
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
