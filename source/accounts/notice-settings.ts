import {
	type AnnouncedEvent,
	type AnnouncementKind,
	announcementKinds,
	liveSetting,
} from './live-setting.ts';
import type { SettingValues } from './setting-reader.ts';
import { oneOfReader, readDuration } from './setting-values.ts';

const readAnnouncementKind = oneOfReader(...announcementKinds);

const liveAnnouncement = (event: AnnouncedEvent, label: string) =>
	liveSetting<AnnouncementKind>({
		label,
		note: '',
		choices: announcementKinds.map(kind => ({ word: kind, value: kind })),
		needs: 'announce',
		apply: (kind, { announce }) => kind && announce?.(event, kind),
	});

export const noticeSettings = {
	operationEnded: {
		explanation: '"off", "bell", or "notify": a desktop notification and the bell.',
		example: '"bell"',
		read: readAnnouncementKind,
		default: 'bell',
		live: liveAnnouncement('operationEnded', 'Notify when operations end'),
	},
	computerFailed: {
		explanation: '',
		example: '"notify"',
		read: readAnnouncementKind,
		default: 'notify',
		live: liveAnnouncement('computerFailed', 'Notify when computers fail'),
	},
	creditsLow: {
		explanation: '',
		example: '"notify"',
		read: readAnnouncementKind,
		default: 'notify',
		live: liveAnnouncement('creditsLow', 'Notify when credits are low'),
	},
	creditsLeft: {
		explanation: 'Credits are low when they will not last longer than this.',
		example: '"1d"',
		read: readDuration,
		default: 86_400_000,
	},
} as const;

export type Notices = Required<SettingValues<typeof noticeSettings>>;

export const defaultNotices = Object.fromEntries(
	Object.entries(noticeSettings).map(([name, row]) => [name, row.default]),
) as Notices;
