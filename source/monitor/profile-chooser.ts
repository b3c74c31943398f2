import type { ProfileChoice } from '../accounts/account-settings.ts';
import { cleanLine } from '../platform/decoding/clean.ts';
import { withPrompt } from '../script/prompt.ts';
import type { Host } from '../session/host.ts';
import { hostMemory } from './memory.ts';

export async function chooseProfiles(
	host: Host,
	profiles: readonly ProfileChoice[],
): Promise<readonly string[]> {
	const { stdout } = host.program;
	const width = Math.max(...profiles.map(({ name }) => name.length));
	const lines = profiles.map(
		(profile, at) => `  ${at + 1}  ${profile.name.padEnd(width)}  ${profileText(profile)}\n`,
	);
	stdout.write(
		`Several profiles are configured. Which ones do you want to watch?\n${lines.join('')}`,
	);
	return withPrompt(host.program, {}, async prompt => {
		for (;;) {
			const answer = await prompt.ask('Numbers or names, such as 1,2 (Enter for all): ');
			const chosen = profilesFrom(answer, profiles);
			if (typeof chosen === 'string') {
				stdout.write(`${chosen}\n`);
				continue;
			}
			hostMemory(host).update(saved => ({ ...saved, profiles: chosen }));
			return chosen;
		}
	});
}

export const profileText = ({ email, baseUrl, problem }: ProfileChoice): string =>
	cleanLine(problem?.message ?? [email, baseUrl].filter(Boolean).join(' at '));

export function profilesFrom(
	answer: string,
	profiles: readonly Pick<ProfileChoice, 'name'>[],
): readonly string[] | string {
	const words = answer.split(/[\s,]+/).filter(word => word !== '');
	if (words.length === 0) return profiles.map(({ name }) => name);
	const chosen = words.map(word => {
		const named = profiles.find(({ name }) => name === word);
		return { word, name: (named ?? profiles[Number(word) - 1])?.name };
	});
	const unknown = chosen.find(({ name }) => name === undefined);
	if (unknown) return `There is no profile ${cleanLine(unknown.word)}.`;
	return [...new Set(chosen.flatMap(({ name }) => name ?? []))];
}
