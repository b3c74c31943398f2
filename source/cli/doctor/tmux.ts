import { execFile } from 'node:child_process';
import type { Clock } from '../../fleet/clock.ts';

export type TmuxSettings = {
	focusEvents: boolean;
	allowPassthrough: boolean;
	setClipboard: string;
};

const format = '#{focus-events} #{allow-passthrough} #{set-clipboard}';

/** How the tmux around is set; undefined when it does not tell. */
export function tmuxSettings(
	env: NodeJS.ProcessEnv,
	clock: Clock,
): Promise<TmuxSettings | undefined> {
	return new Promise(resolve => {
		const child = execFile('tmux', ['display-message', '-p', format], { env }, (error, stdout) => {
			callOff();
			resolve(error ? undefined : settingsFrom(stdout));
		});
		const callOff = clock.after(2000, () => child.kill());
	});
}

function settingsFrom(text: string): TmuxSettings | undefined {
	const told = /^(\w*) (\w*) (on|off|external)\s*$/.exec(text);
	if (!told) return undefined;
	return {
		focusEvents: isOn(told[1]),
		allowPassthrough: isOn(told[2]),
		setClipboard: told[3] ?? '',
	};
}

const isOn = (word: string | undefined) => word === 'on' || word === '1' || word === 'all';
