import { detailPlace } from '../drawing/layout.ts';
import { sectionsHeight } from '../drawing/section.ts';
import type { Theme } from '../drawing/theme.ts';
import { scrollableIn } from '../drawing/view-window.ts';
import type { Operations, Picture } from '../operations/path.ts';
import { cursorIndex, type Screen } from '../screen/screen.ts';
import { createRowAge } from '../store/age.ts';
import { historyOf } from '../store/log.ts';
import { statusSightOf } from '../store/sight.ts';
import type { AccountState } from '../store/state.ts';
import type { CellContext } from './cell-context.ts';
import { type DetailOptions, detailSections } from './detail-text.ts';
import type { Addresses } from './ports-table.ts';
import type { VisibleRows } from './visible-rows.ts';

type FleetDetailOptions = Addresses & {
	account: AccountState;
	screen: Screen;
	shown: Pick<VisibleRows, 'rows' | 'ids'>;
	picture: Picture;
	waitingFor: Operations['waitingFor'];
	width: number;
	now: number;
	theme: Theme;
};

/** What the cells of the fleet are drawn from. */
export function contextOf({
	account,
	picture,
	waitingFor,
	now,
	theme,
}: Pick<FleetDetailOptions, 'account' | 'picture' | 'waitingFor' | 'now' | 'theme'>): CellContext {
	const ageOf = createRowAge(account, now);
	return {
		now,
		latest: account.release?.version,
		seenAt: ({ computer }) => statusSightOf(account, computer)?.at,
		ageOf: ({ computer }) => ageOf(computer),
		waitingFor,
		canChange: !picture.isReadOnly,
		changes: account.changes,
		theme,
	};
}

/** What the open details are drawn from; undefined when none are. */
export function openDetail(options: FleetDetailOptions): DetailOptions | undefined {
	const { account, screen, shown, picture, publicAddress, shareAddress } = options;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	if (!row || !screen.isDetailOpen || screen.view !== 'fleet') return undefined;
	const { width } = detailPlace(options.width);
	const history = historyOf(account, row.computer.id);
	const { checks } = picture;
	const context = contextOf(options);
	return { account, row, history, checks, context, publicAddress, shareAddress, width };
}

/** How far the open details can be scrolled. */
export function detailScrollable(options: FleetDetailOptions, lines: number): number {
	const detail = openDetail(options);
	return detail ? scrollableIn(sectionsHeight(detailSections(detail)), lines) : 0;
}
