/**
 * Makes the anchors of one page's headings, one after the other, as GitHub does: a name that comes
 * again has a number.
 */
export function slugs(): (heading: string) => string {
  const known = new Set<string>();
  return (heading) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    let name = slug;
    for (let again = 1; known.has(name); again += 1) name = `${slug}-${again}`;
    known.add(name);
    return name;
  };
}
