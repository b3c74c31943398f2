import { accountSettings } from './account-setting-table.ts';
import { questionSettings } from './question-settings.ts';
import type { SettingTable } from './setting-reader.ts';
import { noticeSettings, preferenceSettings, topSettings } from './setting-table.ts';

/** Returns an example configuration in which every setting is explained and commented out. */
export function configExample(): string {
	const { confirm, notify, keys, ...simple } = preferenceSettings;
	return [
		'# The configuration of crowsnest. Remove the # in front of a setting to use it.',
		'# Command-line options and the environment override this file.\n',
		exampleLinesOf({ profile: topSettings.profile }),
		'# The next settings apply to all profiles. In a profile, they override those for all profiles.\n',
		exampleLinesOf(simple),
		`${commentFrom(notify.explanation)}#[notify]`,
		exampleLinesOf(noticeSettings),
		`${commentFrom(keys.explanation)}#[keys]`,
		'#stop = "ctrl-x"\n#palette = [":", "ctrl-p"]\n',
		'# A profile for each account, with a name of your choice. `crowsnest login` writes it for you.',
		'#[profiles.work]',
		exampleLinesOf(accountSettings),
		`${commentFrom(confirm.explanation)}#[profiles.work.confirm]`,
		exampleLinesOf(questionSettings()),
	].join('\n');
}

function exampleLinesOf(table: SettingTable): string {
	return Object.entries(table)
		.map(([name, { explanation, example }]) => `${commentFrom(explanation)}#${name} = ${example}\n`)
		.join('');
}

const commentFrom = (explanation: string) =>
	explanation.replace(/^(?=.)/gm, '# ') + (explanation === '' ? '' : '\n');
