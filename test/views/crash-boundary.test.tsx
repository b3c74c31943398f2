import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { CrashBoundary } from '../../source/views/App.tsx';
import { frameText } from '../frame-text.ts';

test('an error in a view is reported, and nothing of it is drawn', () => {
	const failure = new Error('a view failed');
	const reported: unknown[] = [];
	const screenOf = (isFailing: boolean) => (
		<CrashBoundary onCrash={error => reported.push(error)}>
			<Text>fleet</Text>
			{isFailing && <Failing error={failure} />}
		</CrashBoundary>
	);
	const { rerender, lastFrame } = render(screenOf(false));
	expect(frameText(lastFrame() ?? '')).toContain('fleet');
	rerender(screenOf(true));
	expect(reported).toEqual([failure]);
	expect(frameText(lastFrame() ?? '').trim()).toBe('');
});

function Failing({ error }: { error: Error }): never {
	throw error;
}
