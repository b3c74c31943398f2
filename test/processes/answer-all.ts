import { expect } from 'vitest';
import type { Simulator } from '../../source/simulator/simulator.ts';
import type { Session } from './session.ts';

/** Answers each question of the sign-in at the command line. */
export async function answerSignInQuestions(session: Session, simulator: Simulator) {
	const answers = [
		['Base URL', simulator.baseUrl],
		['Identity URL', simulator.authUrl],
		['Anon key', simulator.anonKey],
		['E-mail', simulator.email],
		['Password', simulator.password],
	] as const;
	for (const [question, answer] of answers) {
		await session.sees(question);
		expect(session.modes().screen).toBe('normal');
		session.pressInShell(`${answer}\r`);
	}
}
