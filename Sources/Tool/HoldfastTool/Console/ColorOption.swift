import ArgumentParser
import HoldfastBase

/// When text for people has colors.
enum ColorChoice: String, Hashable, Sendable, CaseIterable, ExpressibleByArgument {
    /// If the output is a terminal that shows them, and the environment does not prevent it.
    case auto
    /// Always, for example for a pager.
    case always
    case never

    /// Returns whether the environment allows colors: `NO_COLOR` is not set or empty (no-color.org), and the terminal
    /// is not `dumb`.
    static func isAllowed(noColor: String?, terminal: String?) -> Bool {
        (noColor ?? "").isEmpty && terminal != "dumb"
    }
}

/// The option of commands that print colored text.
struct ColorOption: ParsableArguments {
    @Option(help: "When to color text: at a terminal, unless NO_COLOR is set; always; never.")
    var color = ColorChoice.auto

    /// Throws a usage error if colors are required of an output that has none.
    func check(printsText: Bool) throws {
        try check(printsText || color != .always, "--color always needs text output: other formats have no colors.")
    }
}

extension Console {
    /// Returns the style of text on standard output.
    func outputStyle(_ choice: ColorChoice = .auto) -> TerminalStyle {
        style(choice, isTerminal: outputIsTerminal)
    }

    /// Returns the style of text on standard error.
    func noteStyle(_ choice: ColorChoice = .auto) -> TerminalStyle {
        style(choice, isTerminal: isInteractive)
    }

    private func style(_ choice: ColorChoice, isTerminal: Bool) -> TerminalStyle {
        switch choice {
        case .auto: TerminalStyle(isColored: isTerminal && allowsColor)
        case .always: TerminalStyle(isColored: true)
        case .never: .plain
        }
    }
}
