import { Component, type ReactNode } from 'react';

type Props = { onCrash: (error: unknown) => void; children: ReactNode };

/**
 * Draws nothing any more after an error. Ink would draw the error with the source around it, which is the whole
 * program on one line; the program prints it when it has given the screen back.
 */
export class CrashBoundary extends Component<Props, { hasCrashed: boolean }> {
	override state = { hasCrashed: false };

	static getDerivedStateFromError() {
		return { hasCrashed: true };
	}

	override componentDidCatch(error: unknown) {
		this.props.onCrash(error);
	}

	override render() {
		return this.state.hasCrashed ? null : this.props.children;
	}
}
