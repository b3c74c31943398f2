import { operations } from '../operations/operations.ts';
import type { Operations, Picture } from '../operations/path.ts';
import { waitingText } from '../operations/waiting.ts';
import { newcomerIn } from '../store/newcomer.ts';
import { historyOf } from '../store/log.ts';
import { cursorIndex, type Screen } from '../store/screen.ts';
import { statusSightOf } from '../store/sight.ts';
import type { AccountState } from '../store/state.ts';
import type { Context } from './columns.ts';
import { type DetailAsked, detailSections } from './detail-text.ts';
import type { Addresses } from './ports-table.ts';
import { sectionsHeight } from './section.ts';
import type { ShownRows } from './shown.ts';
import { operationSpans } from './stage-text.ts';
import type { Theme } from './theme.ts';
import { scrollableIn } from './view-window.ts';

type Asked = Addresses & {
	account: AccountState;
	screen: Screen;
	shown: Pick<ShownRows, 'rows' | 'ids'>;
	picture: Picture;
	waitingFor: Operations['waitingFor'];
	width: number;
	now: number;
	theme: Theme;
};

/** What the cells of the fleet are drawn from. */
export function contextOf({ account, waitingFor, now, theme }: Omit<Asked, 'width'>): Context {
	return {
		now,
		latest: account.release?.version,
		seenAt: ({ computer }) => statusSightOf(account, computer)?.at,
		waitingFor,
		changes: account.changes,
		theme,
	};
}

/** What the open details are drawn from; undefined when none are. */
export function detailAskedOf(asked: Asked): DetailAsked | undefined {
	const { account, screen, shown, picture, publicAddress, shareAddress } = asked;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	if (!row || !screen.isDetailOpen || screen.view !== 'fleet') return undefined;
	const { width } = detailPlace(asked.width);
	const history = historyOf(account, row.computer.id);
	const { checks } = picture;
	const context = contextOf(asked);
	return { account, row, history, checks, context, publicAddress, shareAddress, width };
}

/** How far the open details can be scrolled. */
export function detailScrollable(asked: Asked, lines: number): number {
	const detail = detailAskedOf(asked);
	return detail ? scrollableIn(sectionsHeight(detailSections(detail)), lines) : 0;
}

const besideFrom = 150;

/** Beside the table where it is wide; in its place where it is not. */
export function detailPlace(width: number): { isBeside: boolean; width: number } {
	if (width < besideFrom) return { isBeside: false, width };
	return { isBeside: true, width: Math.min(90, width - 90) };
}

/** What the table has of the width. */
export function tableWidth({ isDetailOpen }: Pick<Screen, 'isDetailOpen'>, width: number): number {
	const { isBeside, width: taken } = detailPlace(width);
	return isDetailOpen && isBeside ? width - taken - 1 : width;
}

/** What is about to be sent and can still be kept from it, or a create that has no row. */
export function countdownText(asked: Omit<Asked, 'width'>) {
	const { account, waitingFor, now, theme } = asked;
	for (const { wish } of account.operations.values()) {
		const waiting = waitingFor(wish.key);
		if (waiting?.for === 'grace' && wish.batch === undefined) {
			// The time on screen may be older than the countdown.
			const { grace } = operations[wish.operation];
			const left = theme.times.countdown(Math.min(grace, waiting.until - now));
			return waitingText(wish, waiting, waiting.until - left * 1000);
		}
	}
	const newcomer = newcomerIn(account);
	if (!newcomer) return undefined;
	const { name } = newcomer.wish;
	const [[text] = ['']] = operationSpans(newcomer, contextOf(asked));
	return name === undefined ? text : `${name}: ${text}`;
}
