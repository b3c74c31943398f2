import { Component, type ReactNode } from 'react';

type Props = { onCrash: (error: unknown) => void; children: ReactNode };

/** Ink would draw an error with the source around it, which is the whole program on one line. */
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
