/// The `#if` blocks around a place in a declaration.
struct Conditions {
  private var blocks: [Block] = []

  /// A block: the conditions of its earlier branches, and that of the current one.
  private struct Block {
    var refused: [String] = []
    var current: String?
  }

  /// The condition under which the place is compiled; nil if it always is.
  var text: String? {
    let terms = blocks.flatMap { block in
      block.refused.map { "!(\($0))" } + (block.current.map { ["(\($0))"] } ?? [])
    }
    return terms.isEmpty ? nil : terms.joined(separator: " && ")
  }

  /// Enters a block, or its next branch.
  mutating func enter(_ condition: String, isAlternative: Bool) {
    if isAlternative { enterElse() } else { blocks.append(Block()) }
    blocks.indices.last.map { blocks[$0].current = condition }
  }

  /// Enters the branch of a block that is compiled if no other branch is.
  mutating func enterElse() {
    guard let last = blocks.indices.last else { return }
    blocks[last].refused += blocks[last].current.map { [$0] } ?? []
    blocks[last].current = nil
  }

  mutating func leave() { _ = blocks.popLast() }
}
