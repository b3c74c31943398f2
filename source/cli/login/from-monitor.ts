import { exitCodes, type Given, Interrupted, UsageError } from '../../shell/command.ts';
import type { Host } from '../../shell/host.ts';
import { createPrompt } from '../../shell/prompt.ts';
import { login } from './conversation.ts';

/** Asks the questions of a sign-in, line by line. True when there is an account now. */
export async function signInByLines(host: Host, given: Given): Promise<boolean> {
	const { stderr } = host.program;
	try {
		if ((await login(host, given)) === exitCodes.done) return true;
	} catch (error) {
		if (error instanceof Interrupted) return false;
		if (!(error instanceof UsageError)) throw error;
		stderr.write(`${error.message}\n`);
	}
	await waitForEnter(host);
	return false;
}

// What was said would be gone with the screen.
async function waitForEnter({ program }: Host) {
	const prompt = createPrompt(program);
	try {
		await prompt.ask('Enter goes back to the demo. ');
	} catch (error) {
		if (!(error instanceof Interrupted)) throw error;
	} finally {
		prompt.close();
	}
}
