import { ageText } from '../drawing/time-text.ts';
import { uptimeOf } from '../fleet/computers/uptime.ts';
import { durationText } from '../foundation/duration.ts';
import { cursorIndex } from '../screen/screen.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { Row } from '../store/selectors.ts';
import { spellOut } from '../wording/phrases/words.ts';
import { cellContextOf } from '../wording/table/cell-context.ts';
import { stageSpans, statusSpans } from '../wording/table/status-text.ts';
import type { Scene } from './scene.ts';
import { spokenTextOfSpans, textOfSpans, unlimitedWidth } from './words.ts';

// The data of a row must be at least this old for its age to be spoken, in milliseconds.
const minSpokenAgeMs = 60_000;

/**
 * Describes a row, as in "atlas: Active, version 1.3.9, update to 1.4.2 available (u), up 6 days 4 hours,
 * CPU 12 percent".
 */
export function rowWords(row: Row, scene: Scene): string {
	const { account, now, theme } = scene;
	const { computer, isOutdated } = row;
	const { reading, phase } = computer;
	const { version, cpu, memory, ports } = reading;
	const uptime = uptimeOf(computer, now);
	const seenAt = statusAnswerOf(account, computer)?.at;
	const parts = [
		textOfSpans(statusSpans(computer, theme)).trim(),
		version ? `version ${version}` : '',
		isOutdated && phase !== 'active' ? 'update available' : '',
		spokenTextOfSpans(stageSpans(row, unlimitedWidth, cellContextOf(scene))),
		uptime
			? `up ${uptime.isLowerBound ? 'at least ' : ''}${spellOut(durationText(uptime.milliseconds))}`
			: '',
		percentWords('CPU', cpu),
		percentWords('memory', memory),
		ports?.length ? `publishes port ${ports.map(({ port }) => port).join(' and ')}` : '',
		seenAt !== undefined && now - seenAt > minSpokenAgeMs
			? `data ${spellOut(ageText(now - seenAt))} old`
			: '',
	];
	const facts = parts.filter(part => part !== '').join(', ');
	return `${reading.name ?? computer.id}: ${facts}`;
}

export function percentWords(name: string, value: number | null | undefined): string {
	return typeof value === 'number' ? `${name} ${Math.round(value)} percent` : '';
}

/** Describes a row after its position, as in "3 of 24: cygnus: Stopped, asleep since 06:12". */
export function rowAndPositionWords(
	scene: Scene,
	index = cursorIndex(scene.screen, scene.visibleRows.ids),
) {
	const { rows } = scene.visibleRows;
	const row = rows[index];
	if (!row) return undefined;
	const mark = scene.screen.marks.has(row.computer.id) ? 'marked, ' : '';
	return `${index + 1} of ${rows.length}: ${mark}${rowWords(row, scene)}`;
}
