import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fact } from '../../source/fleet/fact.ts';
import {
	factFrom,
	openRecordingFile,
	type PreviousLists,
	type Recording,
	type RecordingFileOptions,
	recordingFrom,
} from '../../source/journal/recording.ts';
import { createStore } from '../../source/store/store.ts';
import { account, start } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';
import { stateDirectory } from './state-directory.ts';

/** A recording of these facts on disk. */
export async function writeRecording(
	facts: readonly Fact[],
	options: Partial<RecordingFileOptions> & { reads?: boolean } = {},
) {
	const { reads = true, ...others } = options;
	const path = join(stateDirectory(), '..', 'recording.jsonl');
	const clock = createHeldClock(start);
	const troubles: string[] = [];
	const recorder = openRecordingFile({
		path,
		clock,
		canOverwrite: false,
		onProblem: message => troubles.push(message),
		...others,
	});
	const store = createStore();
	store.onFact(recorder.begin({ program: '1.2.3', accounts: [{ account }] }));
	for (const fact of facts) {
		clock.move(Math.max(0, fact.at - clock.now()));
		store.receive([fact]);
	}
	recorder.close();
	const text = reads ? await readFile(others.path ?? path, 'utf8') : '';
	return { path, text, recorder, troubles, state: store.getState() };
}

export function recordingOf(text: string): Recording {
	const tape = recordingFrom(text);
	if (typeof tape === 'string') throw new Error(tape);
	return tape;
}

export function factsIn({ times, entryAt }: Recording): readonly Fact[] {
	let lists: PreviousLists = new Map();
	return times.map((_, place) => {
		const next = factFrom(lists, entryAt(place).fact);
		lists = next.lists;
		return next.fact;
	});
}
