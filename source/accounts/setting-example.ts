import type { SettingTable } from './setting.ts';
import {
	accountSettings,
	noticeSettings,
	preferenceSettings,
	questionSettings,
	topSettings,
} from './setting-table.ts';

/** A configuration with every setting in it, explained and switched off. Made from the table. */
export function configExample(): string {
	const { confirm, notify, keys, ...simple } = preferenceSettings;
	return [
		'# The configuration of crowsnest. Take the # away before a setting to use it.',
		'# What a flag or the environment says counts more than what stands here.\n',
		linesOf({ profile: topSettings.profile }),
		'# What follows may stand here, for all profiles, or in one of them, where it counts more.\n',
		linesOf(simple),
		`${explained(notify.about)}#[notify]`,
		linesOf(noticeSettings),
		`${explained(keys.about)}#[keys]`,
		'#stop = "ctrl-x"\n#palette = [":", "ctrl-p"]\n',
		'# One for each account, under a name of your own. `crowsnest login` writes it for you.',
		'#[profiles.work]',
		linesOf(accountSettings),
		`${explained(confirm.about)}#[profiles.work.confirm]`,
		linesOf(questionSettings),
	].join('\n');
}

function linesOf(table: SettingTable): string {
	return Object.entries(table)
		.map(([name, { about, example }]) => `${explained(about)}#${name} = ${example}\n`)
		.join('');
}

const explained = (about: string) => about.replace(/^(?=.)/gm, '# ') + (about === '' ? '' : '\n');
