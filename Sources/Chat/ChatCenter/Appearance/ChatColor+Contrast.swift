// `pow` is not in FoundationEssentials.
import Foundation

extension ChatColor {
    /// The relative luminance of the color without its opacity: 0 for black, 1 for white (WCAG 2.2).
    public var luminance: Double {
        func linear(_ component: UInt8) -> Double {
            let value = Double(component) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio of this color on a background, from 1 to 21 (WCAG 2.2, success criterion 1.4.3).
    ///
    /// A color that is not opaque is first drawn on the background. The background counts as opaque.
    public func contrast(on background: ChatColor) -> Double {
        let own = composited(over: background).luminance
        let other = background.luminance
        return (max(own, other) + 0.05) / (min(own, other) + 0.05)
    }

    /// Returns this color, or the nearest darker or lighter one that is legible on all backgrounds.
    ///
    /// - Parameters:
    ///   - ratio: The contrast ratio to reach: 4.5 for text at WCAG level AA, 7 at level AAA, 3 for marks and borders.
    ///   - backgrounds: The colors behind it.
    /// - Returns: The color itself if it has the ratio. If no color has it, black or white, the better of the two.
    public func legible(atContrast ratio: Double, on backgrounds: [ChatColor]) -> ChatColor {
        func contrast(_ color: ChatColor) -> Double {
            backgrounds.map { color.contrast(on: $0) }.min() ?? .infinity
        }
        guard contrast(self) < ratio else { return self }
        let ends = [ChatColor.black, .white]
        for step in 1...100 {
            let candidates = ends.map { mixed(with: $0, by: Double(step) / 100) }.filter { contrast($0) >= ratio }
            if let best = candidates.max(by: { contrast($0) < contrast($1) }) { return best }
        }
        return contrast(.black) >= contrast(.white) ? .black : .white
    }
}
