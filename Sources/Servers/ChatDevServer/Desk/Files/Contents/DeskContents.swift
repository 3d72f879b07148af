// This file is generated: change the files in Sources/Servers/ChatDevServer/Desk/Web, then run scripts/embed-page.sh.
// swift-format-ignore-file

/// The contents of the files in `Sources/Servers/ChatDevServer/Desk/Web`.
enum DeskContents {
}
