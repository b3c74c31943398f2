import type { Section } from '../drawing/section.ts';
import type { Span } from '../drawing/span.ts';
import { timeText } from '../drawing/time-text.ts';
import { billingSections, billingTitle } from '../wording/billing-text.ts';
import { emptyText } from '../wording/empty-text.ts';
import { createLogFilter } from '../wording/log-rows.ts';
import { modelsSections, modelsTitle } from '../wording/models-text.ts';
import { createVersionCounts } from '../wording/version-counts.ts';
import { versionsSections, versionsTitle } from '../wording/versions-text.ts';
import { spokenChange } from './change-words.ts';
import { placeWords } from './row-words.ts';
import type { Scene } from './scene.ts';
import { sectionWords } from './section-words.ts';
import { summaryWords } from './summary-words.ts';
import { spokenText, unbounded } from './words.ts';

/** A view as text: what it is called, and its lines, made when somebody reads them. */
export type ViewWords = {
	title: readonly string[];
	count: number;
	line: (at: number) => string;
};

type Title = readonly [left: readonly Span[], right: readonly Span[]];

/** Where facts stand below one another. */
const oneColumn = 73;

export function viewWords(scene: Scene): ViewWords {
	const { account, screen, shown, now, theme } = scene;
	const shared = { account, now, width: unbounded, theme };
	switch (screen.view) {
		case 'fleet': {
			const title = summaryWords(scene);
			const { length: count } = shown.rows;
			if (count === 0) return textual([...title, ...emptyWords(scene)], []);
			return { title, count, line: at => placeWords(scene, at) ?? '' };
		}
		case 'billing': {
			const asked = billingAsked(scene);
			return worded(billingTitle(asked), billingSections(asked));
		}
		case 'models': {
			const asked = { ...shared, ordering: screen.modelOrdering };
			return worded(modelsTitle(asked), modelsSections(asked));
		}
		case 'versions': {
			const asked = { ...shared, versionCounts: createVersionCounts()(account) };
			return worded(versionsTitle(asked), versionsSections(asked));
		}
		case 'log': {
			const entries = createLogFilter()(account.changes, screen.logFilter);
			const of = screen.logFilter === '' ? '' : ` of ${account.changes.length}`;
			const word = account.changes.length === 1 ? 'entry' : 'entries';
			const title = [`Log, ${entries.length}${of} ${word}, the newest first.`];
			const line = (at: number) => {
				const change = entries[at];
				return change ? `${timeText(change.at, now)}: ${spokenChange(change, now)}` : '';
			};
			return { title, count: entries.length, line };
		}
	}
}

/** Of billing, how it goes with the payment page that was asked for. */
export function paymentWords(scene: Scene): readonly string[] {
	return sectionWords(billingSections(billingAsked(scene)).slice(0, 1));
}

// Without the samples there is nothing to draw a chart of.
function billingAsked({ account, screen: { payment }, runway, now, theme }: Scene) {
	return {
		account: { ...account, samples: [] },
		runway,
		...(payment && { payment }),
		qrOf: () => undefined,
		now,
		width: oneColumn,
		lines: unbounded,
		theme,
	};
}

/** Why there is no row, and what could be done about it. */
export function emptyWords({ account, screen, now }: Scene): readonly string[] {
	return emptyText(account, screen, now)
		.map(spokenText)
		.filter(line => line !== '');
}

function worded([left, right]: Title, sections: readonly Section[]): ViewWords {
	return textual([`${spokenText(left)}, ${spokenText(right)}.`], sectionWords(sections));
}

function textual(title: readonly string[], lines: readonly string[]): ViewWords {
	return { title, count: lines.length, line: at => lines[at] ?? '' };
}
